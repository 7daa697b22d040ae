/** The realm's HTTP interface, `/api/v1`. */
import { Doors } from "./access.ts";
import { ApiError, UNANSWERED, UNREACHED } from "./errors.ts";
import {
  type History,
  type HistoryQuery,
  historyOf,
  historyPath,
  type Restored,
  type RestoreRequest,
  restoreBody,
  restoredOf,
} from "./history.ts";
import { decodeTicket, type MotionTicket } from "./motion/ticket.ts";
import { isPlain, numberOr, type Plain, textOr } from "./plain.ts";
import { decodeSnapshot, type Snapshot } from "./snapshot.ts";
import { isSceneName } from "./topic.ts";
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
  /** Who makes an account without the realm's owner: everybody, whoever is invited, or nobody. */
  readonly accounts: "open" | "invited" | "closed";
  /** Where others on this network reach the realm; only where this browser runs on the realm's own machine. */
  readonly network: string | null;
}

/** A scene that one may enter. */
export interface SceneSummary {
  readonly namespace: string;
  readonly scene: string;
  readonly role: Role;
  readonly people: number;
  /** How some of them are called. */
  readonly names: readonly string[];
  /** How many it takes; `null`: any number. */
  readonly peopleMax: number | null;
  /** Whether there is a picture of it. */
  readonly picture: boolean;
  readonly locked: boolean;
}

/** Who may do what in a scene: ARENA's fields and `owner`. */
export interface SceneSettings {
  readonly owner: string | null;
  readonly public_read: boolean;
  readonly public_write: boolean;
  readonly anonymous_users: boolean;
  readonly users: boolean;
  readonly video_conference: boolean;
  /** Who gets whose heads and hands; `null`: as the realm has it. */
  readonly motion_policy: string | null;
  /** Bytes of motion a second for each receiver; `null`: as the realm has it. */
  readonly motion_bytes_per_s: number | null;
  readonly editors: readonly string[];
  readonly viewers: readonly string[];
  /** How many people it takes; `null`: any number. */
  readonly people_max: number | null;
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
  /** Accounts, invitations, moderation. */
  readonly doors: Doors = new Doors((method, path, body) => this.#json(method, path, body));

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

  /** Creates or changes a scene. What isn't told becomes the default; only an owner stays. */
  async putSettings(scene: string, settings: Partial<SceneSettings>): Promise<SceneSettings> {
    return settingsOf(await this.#json("PUT", `scenes/${scene}`, settings));
  }

  /** Where a scene's picture is read. */
  pictureUrl(scene: string): string {
    return new URL(`/api/v1/scenes/${scene}/picture`, this.#base).href;
  }

  /** Replaces a scene's picture: a small JPEG, PNG or WebP. */
  async putPicture(scene: string, picture: Blob): Promise<void> {
    const init: RequestInit = { method: "PUT", body: picture, credentials: "same-origin", cache: "no-store" };
    await this.#answer(await this.#ask(this.pictureUrl(scene), init));
  }

  /** All of a scene in one file. */
  async exportScene(scene: string): Promise<Blob> {
    const url = new URL(`/api/v1/scenes/${scene}/export`, this.#base).href;
    const response = await this.#ask(url, { credentials: "same-origin", cache: "no-store" });
    if (!response.ok) throw problemOf(response, await response.text());
    try {
      return await response.blob();
    } catch {
      throw new ApiError(UNANSWERED, "the file broke off", "");
    }
  }

  /** Makes the scene `to`, a copy of `from`. */
  async copyScene(from: string, to: string): Promise<void> {
    await this.#json("POST", `scenes/${from}/clone`, { to });
  }

  /** Gives a scene another name; who is in it comes again, and finds it. */
  async renameScene(scene: string, to: string): Promise<void> {
    await this.#json("POST", `scenes/${scene}/rename`, { to });
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

  /** Who changed what, newest first. */
  async history(scene: string, query: HistoryQuery, token: string): Promise<History> {
    return historyOf(await this.#json("GET", historyPath(scene, query), undefined, token));
  }

  async restore(scene: string, request: RestoreRequest, token: string): Promise<Restored> {
    return restoredOf(await this.#json("POST", `scenes/${scene}/restore`, restoreBody(request), token));
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
      throw new ApiError(UNANSWERED, UNREACHED, "");
    }
  }

  async #json(method: string, path: string, body?: unknown, token?: string): Promise<unknown> {
    const headers: Record<string, string> = { accept: "application/json" };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    const init: RequestInit = { method, headers, credentials: "same-origin", cache: "no-store" };
    if (body !== undefined) init.body = JSON.stringify(body);
    return await this.#answer(await this.#ask(new URL(`/api/v1/${path}`, this.#base).href, init));
  }

  async #answer(response: Response): Promise<unknown> {
    const text = await response.text();
    if (!response.ok) throw problemOf(response, text);
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

function problemOf({ status, headers }: Response, text: string): ApiError {
  let problem: unknown;
  try {
    problem = JSON.parse(text);
  } catch {
    problem = undefined;
  }
  const fields: Plain = isPlain(problem) ? problem : {};
  const retryAfterS = Number(headers.get("retry-after") ?? Number.NaN);
  const now = textOr(fields.scene, "");
  const more = {
    reason: textOr(fields.reason, ""),
    ...(retryAfterS > 0 ? { retryAfterS } : {}),
    ...(isSceneName(now) ? { scene: now } : {}),
  };
  return new ApiError(status, textOr(fields.title, `the realm answered ${status}`), textOr(fields.detail, ""), more);
}

function fieldsOf(answer: unknown): Plain {
  if (isPlain(answer)) return answer;
  throw new ApiError(502, "the answer is no object", "");
}

function accountOf(answer: unknown): Account {
  const { username, owner, owner_exists, accounts, network } = fieldsOf(answer);
  return {
    username: typeof username === "string" ? username : null,
    owner: owner === true,
    ownerExists: owner_exists === true,
    accounts: accounts === "open" || accounts === "invited" ? accounts : "closed",
    network: typeof network === "string" ? network : null,
  };
}

function roleOf(value: unknown): Role {
  return value === "owner" || value === "editor" ? value : "viewer";
}

function summaryOf(fields: Plain): SceneSummary {
  const { namespace, scene, role, people, names, people_max, picture, locked } = fields;
  return {
    namespace: textOr(namespace, ""),
    scene: textOr(scene, ""),
    role: roleOf(role),
    people: numberOr(people, 0),
    names: namesOf(names),
    peopleMax: typeof people_max === "number" ? people_max : null,
    picture: picture === true,
    locked: locked === true,
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
    motion_policy: typeof fields.motion_policy === "string" ? fields.motion_policy : null,
    motion_bytes_per_s: typeof fields.motion_bytes_per_s === "number" ? fields.motion_bytes_per_s : null,
    editors: namesOf(fields.editors),
    viewers: namesOf(fields.viewers),
    people_max: typeof fields.people_max === "number" ? fields.people_max : null,
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
