/** The realm's HTTP interface, `/api/v1`. */
import { ApiError, UNANSWERED } from "./errors.ts";
import { decodeTicket, type MotionTicket } from "./motion/ticket.ts";
import { isPlain, numberOr, type Plain, textOr } from "./plain.ts";
import { decodeSnapshot, type Snapshot } from "./snapshot.ts";
import type { Role } from "./types.ts";

/** `fetch`, or what a test gives instead. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Who the browser is signed in as. */
export interface Account {
  /** `null` for a guest. */
  readonly username: string | null;
  /** Whether it is an owner of the realm. */
  readonly owner: boolean;
  /** Whether the realm has an owner yet. */
  readonly ownerExists: boolean;
  /** Where others on this network reach the realm; only where this browser runs on the realm's own machine. */
  readonly network: string | null;
}

/** A scene that one may enter. */
export interface SceneSummary {
  readonly namespace: string;
  readonly scene: string;
  readonly role: Role;
  readonly people: number;
}

/** Who may do what in a scene: ARENA's fields and `owner`. */
export interface SceneSettings {
  readonly owner: string | null;
  readonly public_read: boolean;
  readonly public_write: boolean;
  readonly anonymous_users: boolean;
  readonly users: boolean;
  readonly video_conference: boolean;
  readonly editors: readonly string[];
  readonly viewers: readonly string[];
}

/** A token for one scene, and who one is with it. */
export interface Admission {
  readonly token: string;
  readonly username: string;
  readonly role: Role;
  readonly guest: boolean;
  /** Unix seconds. */
  readonly expiresAt: number;
  readonly idTag: string;
  readonly userClient: string;
  readonly mqttPath: string;
}

/** What is asked for with {@link Api.admission}. */
export interface AdmissionRequest {
  /** `<namespace>/<scene>` */
  readonly scene: string;
  readonly displayName?: string;
  /** A token of this realm, where there is no cookie: the new one gets no more rights than it has, and lasts no longer. */
  readonly token?: string;
}

/** The requests, one method each. They reject with an {@link ApiError}. */
export class Api {
  readonly #base: URL;
  readonly #fetch: Fetch;

  /** `baseUrl` is the realm's address, such as `https://host:8443`. */
  constructor(baseUrl: string, fetch: Fetch = (url, init) => globalThis.fetch(url, init)) {
    this.#base = new URL(baseUrl);
    this.#fetch = fetch;
  }

  /** The address of the realm's MQTT over WebSocket. */
  mqttUrl(path: string): string {
    const url = new URL(path, this.#base);
    url.protocol = this.#base.protocol === "http:" ? "ws:" : "wss:";
    return url.href;
  }

  async me(): Promise<Account> {
    return accountOf(await this.#json("GET", "me"));
  }

  async login(username: string, password: string): Promise<Account> {
    return accountOf(await this.#json("POST", "login", { username, password }));
  }

  async logout(): Promise<void> {
    await this.#json("POST", "logout");
  }

  /** Redeems the owner link's secret: makes the realm's first account. */
  async redeemOwner(secret: string, username: string, password: string): Promise<Account> {
    return accountOf(await this.#json("POST", "owner", { secret, username, password }));
  }

  async scenes(): Promise<readonly SceneSummary[]> {
    const answer = await this.#json("GET", "scenes");
    return Array.isArray(answer) ? answer.filter(isPlain).map(summaryOf) : [];
  }

  async settings(scene: string): Promise<SceneSettings> {
    return settingsOf(await this.#json("GET", `scenes/${scene}`));
  }

  /** Creates or changes a scene. */
  async putSettings(scene: string, settings: Partial<SceneSettings>): Promise<SceneSettings> {
    return settingsOf(await this.#json("PUT", `scenes/${scene}`, settings));
  }

  async removeScene(scene: string): Promise<void> {
    await this.#json("DELETE", `scenes/${scene}`);
  }

  /** Removes every object; the first content of lobby and sandbox comes back. */
  async resetScene(scene: string): Promise<void> {
    await this.#json("POST", `scenes/${scene}/reset`);
  }

  /** Asks for a token for one scene. */
  async admission(request: AdmissionRequest): Promise<Admission> {
    const { scene, displayName, token } = request;
    const body = { scene, client: "web", ...(displayName === undefined ? {} : { name: displayName }) };
    return admissionOf(await this.#json("POST", "token", body, token));
  }

  /** The scene at its present revision. */
  async snapshot(scene: string, token: string): Promise<Snapshot> {
    const snapshot = decodeSnapshot(await this.#json("GET", `scenes/${scene}/snapshot`, undefined, token));
    if (snapshot === undefined) throw new ApiError(502, "the snapshot is not one", "");
    return snapshot;
  }

  /** Asks for a ticket to the motion plane. */
  async motionTicket(scene: string, token: string): Promise<MotionTicket | undefined> {
    return decodeTicket(await this.#json("POST", "motion-ticket", { scene }, token));
  }

  /** `fetch` says "Failed to fetch" where no realm answers: people deserve better words. */
  async #ask(url: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#fetch(url, init);
    } catch {
      throw new ApiError(UNANSWERED, "the realm can't be reached", "");
    }
  }

  async #json(method: string, path: string, body?: unknown, token?: string): Promise<unknown> {
    const headers: Record<string, string> = { accept: "application/json" };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    const init: RequestInit = { method, headers, credentials: "same-origin", cache: "no-store" };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await this.#ask(new URL(`/api/v1/${path}`, this.#base).href, init);
    const text = await response.text();
    if (!response.ok) throw problemOf(response.status, text);
    return text === "" ? undefined : jsonOf(text);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(502, "the answer is no JSON", "");
  }
}

function problemOf(status: number, text: string): ApiError {
  let problem: unknown;
  try {
    problem = JSON.parse(text);
  } catch {
    problem = undefined;
  }
  const fields: Plain = isPlain(problem) ? problem : {};
  return new ApiError(status, textOr(fields.title, `the realm answered ${status}`), textOr(fields.detail, ""));
}

function fieldsOf(answer: unknown): Plain {
  if (isPlain(answer)) return answer;
  throw new ApiError(502, "the answer is no object", "");
}

function accountOf(answer: unknown): Account {
  const { username, owner, owner_exists, network } = fieldsOf(answer);
  return {
    username: typeof username === "string" ? username : null,
    owner: owner === true,
    ownerExists: owner_exists === true,
    network: typeof network === "string" ? network : null,
  };
}

function roleOf(value: unknown): Role {
  return value === "owner" || value === "editor" ? value : "viewer";
}

function summaryOf(fields: Plain): SceneSummary {
  const { namespace, scene, role, people } = fields;
  return {
    namespace: textOr(namespace, ""),
    scene: textOr(scene, ""),
    role: roleOf(role),
    people: numberOr(people, 0),
  };
}

function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : [];
}

function settingsOf(answer: unknown): SceneSettings {
  const fields = fieldsOf(answer);
  return {
    owner: typeof fields.owner === "string" ? fields.owner : null,
    public_read: fields.public_read !== false,
    public_write: fields.public_write === true,
    anonymous_users: fields.anonymous_users !== false,
    users: fields.users !== false,
    video_conference: fields.video_conference !== false,
    editors: namesOf(fields.editors),
    viewers: namesOf(fields.viewers),
  };
}

function admissionOf(answer: unknown): Admission {
  const fields = fieldsOf(answer);
  const ids: Plain = isPlain(fields.ids) ? fields.ids : {};
  const { token, username } = fields;
  const { userid, userclient } = ids;
  if (![token, username, userid, userclient].every((text) => typeof text === "string" && text !== "")) {
    throw new ApiError(502, "the answer is no token", "");
  }
  return {
    token: textOr(token, ""),
    username: textOr(username, ""),
    role: roleOf(fields.role),
    guest: fields.guest === true,
    expiresAt: numberOr(fields.expires_at, 0),
    idTag: textOr(userid, ""),
    userClient: textOr(userclient, ""),
    mqttPath: textOr(fields.mqtt_path, "/mqtt/"),
  };
}
