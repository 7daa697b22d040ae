/** Client of the realm's HTTP API, `/api/v1`: sends its requests and decodes the responses. */
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
import { isJsonObject, type JsonObject, numberOr, textOr } from "./json-values.ts";
import { decodeTicket, type MotionTicket } from "./motion/ticket.ts";
import { decodeSnapshot, type Snapshot } from "./snapshot.ts";
import { isSceneName } from "./topic.ts";
import type { Role } from "./types.ts";

/** The signature of `fetch`, which tests replace. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** The account that the browser is signed in to. */
export interface Account {
  /** `null` for a guest. */
  readonly username: string | null;
  /** Whether the account owns the realm. */
  readonly owner: boolean;
  /** Whether the realm has an owner yet. */
  readonly ownerExists: boolean;
  /** Creation of accounts without the realm's owner: open to everyone, to invited people, or closed. */
  readonly accounts: "open" | "invited" | "closed";
  /** The realm's address on the local network; `null` unless this browser runs on the realm's own machine. */
  readonly network: string | null;
}

/** A scene that this account may enter. */
export interface SceneSummary {
  readonly namespace: string;
  readonly scene: string;
  readonly role: Role;
  readonly people: number;
  /** Display names of some of the people. */
  readonly names: readonly string[];
  /** Limit of people; `null` means none. */
  readonly peopleMax: number | null;
  /** Whether the scene has a picture. */
  readonly picture: boolean;
  readonly locked: boolean;
}

/** A scene's permissions and limits: ARENA's fields, `owner`, and Stoa's own. */
export interface SceneSettings {
  readonly owner: string | null;
  readonly public_read: boolean;
  readonly public_write: boolean;
  readonly anonymous_users: boolean;
  readonly users: boolean;
  readonly video_conference: boolean;
  /** Interest policy of heads and hands; `null` uses the realm's. */
  readonly motion_policy: string | null;
  /** Bytes of motion a second for each receiver; `null` uses the realm's. */
  readonly motion_bytes_per_s: number | null;
  /** Whether people talk. It is `off` without `video_conference`. */
  readonly voice: "open" | "off";
  readonly editors: readonly string[];
  readonly viewers: readonly string[];
  /** Limit of people; `null` means none. */
  readonly people_max: number | null;
}

/** A token for one scene, with the identity that it gives. */
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

/** Arguments of {@link Api.admission}. */
export interface AdmissionRequest {
  /** `<namespace>/<scene>` */
  readonly scene: string;
  readonly displayName?: string;
  /** A token of this realm instead of a cookie. The new token gets at most its rights and lifetime. */
  readonly token?: string;
}

/** One method for each request. A failed request rejects with an {@link ApiError}. */
export class Api {
  readonly #base: URL;
  readonly #fetch: Fetch;
  /** Requests about accounts, invitations and moderation. */
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

  /** Redeems the owner link's secret and creates the realm's first account. */
  async redeemOwner(secret: string, username: string, password: string): Promise<Account> {
    return accountOf(await this.#json("POST", "owner", { secret, username, password }));
  }

  async scenes(): Promise<readonly SceneSummary[]> {
    const answer = await this.#json("GET", "scenes");
    return Array.isArray(answer) ? answer.filter(isJsonObject).map(summaryOf) : [];
  }

  async settings(scene: string): Promise<SceneSettings> {
    return settingsOf(await this.#json("GET", `scenes/${scene}`));
  }

  /** Creates or changes a scene. Missing settings become the default, except `owner` and `voice`, which stay. */
  async putSettings(scene: string, settings: Partial<SceneSettings>): Promise<SceneSettings> {
    return settingsOf(await this.#json("PUT", `scenes/${scene}`, settings));
  }

  /** The URL of a scene's picture. */
  pictureUrl(scene: string): string {
    return new URL(`/api/v1/scenes/${scene}/picture`, this.#base).href;
  }

  /** Replaces a scene's picture: a small JPEG, PNG or WebP. */
  async putPicture(scene: string, picture: Blob): Promise<void> {
    const init: RequestInit = { method: "PUT", body: picture, credentials: "same-origin", cache: "no-store" };
    await this.#answer(await this.#ask(this.pictureUrl(scene), init));
  }

  /** Downloads a scene as one file. */
  async exportScene(scene: string): Promise<Blob> {
    const url = new URL(`/api/v1/scenes/${scene}/export`, this.#base).href;
    const response = await this.#ask(url, { credentials: "same-origin", cache: "no-store" });
    if (!response.ok) throw problemOf(response, await response.text());
    try {
      return await response.blob();
    } catch {
      throw new ApiError(UNANSWERED, "the download was interrupted", "");
    }
  }

  /** Creates the scene `to` as a copy of `from`. */
  async copyScene(from: string, to: string): Promise<void> {
    await this.#json("POST", `scenes/${from}/clone`, { to });
  }

  /** Renames a scene. Its people are disconnected and reconnect to the new name. */
  async renameScene(scene: string, to: string): Promise<void> {
    await this.#json("POST", `scenes/${scene}/rename`, { to });
  }

  async removeScene(scene: string): Promise<void> {
    await this.#json("DELETE", `scenes/${scene}`);
  }

  /** Removes every object of a scene. The lobby and the sandbox get back their first content. */
  async resetScene(scene: string): Promise<void> {
    await this.#json("POST", `scenes/${scene}/reset`);
  }

  /** Requests a token for one scene. */
  async admission(request: AdmissionRequest): Promise<Admission> {
    const { scene, displayName, token } = request;
    const body = { scene, client: "web", ...(displayName === undefined ? {} : { name: displayName }) };
    return admissionOf(await this.#json("POST", "token", body, token));
  }

  /** Requests a snapshot of the scene at its present revision. */
  async snapshot(scene: string, token: string): Promise<Snapshot> {
    const snapshot = decodeSnapshot(await this.#json("GET", `scenes/${scene}/snapshot`, undefined, token));
    if (snapshot === undefined) throw new ApiError(502, "the snapshot is malformed", "");
    return snapshot;
  }

  /** Requests history entries, newest first. */
  async history(scene: string, query: HistoryQuery, token: string): Promise<History> {
    return historyOf(await this.#json("GET", historyPath(scene, query), undefined, token));
  }

  async restore(scene: string, request: RestoreRequest, token: string): Promise<Restored> {
    return restoredOf(await this.#json("POST", `scenes/${scene}/restore`, restoreBody(request), token));
  }

  /** Requests a ticket to the motion plane; `undefined` if the realm offers no transport for it. `signal` aborts it. */
  async motionTicket(scene: string, token: string, signal?: AbortSignal): Promise<MotionTicket | undefined> {
    return decodeTicket(await this.#json("POST", "motion-ticket", { scene }, token, signal));
  }

  /** Replaces `fetch`'s error "Failed to fetch" by a message for people. */
  async #ask(url: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#fetch(url, init);
    } catch {
      throw new ApiError(UNANSWERED, UNREACHED, "");
    }
  }

  async #json(method: string, path: string, body?: unknown, token?: string, signal?: AbortSignal): Promise<unknown> {
    const headers: Record<string, string> = { accept: "application/json" };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    const init: RequestInit = { method, headers, credentials: "same-origin", cache: "no-store" };
    if (body !== undefined) init.body = JSON.stringify(body);
    if (signal !== undefined) init.signal = signal;
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
    throw new ApiError(502, "the response is not JSON", "");
  }
}

function problemOf({ status, headers }: Response, text: string): ApiError {
  let problem: unknown;
  try {
    problem = JSON.parse(text);
  } catch {
    problem = undefined;
  }
  const fields: JsonObject = isJsonObject(problem) ? problem : {};
  const retryAfterS = Number(headers.get("retry-after") ?? Number.NaN);
  const now = textOr(fields.scene, "");
  const more = {
    reason: textOr(fields.reason, ""),
    ...(retryAfterS > 0 ? { retryAfterS } : {}),
    ...(isSceneName(now) ? { scene: now } : {}),
  };
  return new ApiError(status, textOr(fields.title, `the server answered ${status}`), textOr(fields.detail, ""), more);
}

function fieldsOf(answer: unknown): JsonObject {
  if (isJsonObject(answer)) return answer;
  throw new ApiError(502, "the response is not a JSON object", "");
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

function summaryOf(fields: JsonObject): SceneSummary {
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
    voice: fields.voice === "open" ? "open" : "off",
    editors: namesOf(fields.editors),
    viewers: namesOf(fields.viewers),
    people_max: typeof fields.people_max === "number" ? fields.people_max : null,
  };
}

function admissionOf(answer: unknown): Admission {
  const fields = fieldsOf(answer);
  const ids: JsonObject = isJsonObject(fields.ids) ? fields.ids : {};
  const { token, username } = fields;
  const { userid, userclient } = ids;
  if (![token, username, userid, userclient].every((text) => typeof text === "string" && text !== "")) {
    throw new ApiError(502, "the response has no token", "");
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
