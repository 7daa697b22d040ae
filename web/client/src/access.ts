/** Accounts, invitations and moderation: part of the HTTP API, `/api/v1`. */
import { isJsonObject, type JsonObject, numberOr, textOr } from "./json-values.ts";
import type { Role } from "./types.ts";

/** Sends one request; rejects with an `ApiError`. */
export type SendRequest = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** An invitation link to a scene. */
export interface Invitation {
  readonly id: string;
  readonly role: Role;
  /** Unix seconds. */
  readonly endsAt: number;
  /** Limit of people who may redeem it; `null` means none. */
  readonly usesMax: number | null;
  readonly uses: number;
  readonly by: string;
  /** The secret of the link. Only the response to its creation contains it. */
  readonly secret: string | null;
}

/** A request for an invitation. */
export interface InvitationRequest {
  readonly role: "viewer" | "editor";
  readonly lastsS: number;
  readonly usesMax: number | null;
}

/** A person's mute or ban. */
export interface Bar {
  readonly id: string;
  readonly kind: "silence" | "out";
  /** The person's display name at that time. */
  readonly shown: string;
  /** `null` for a guest. */
  readonly account: string | null;
  /** Whether this entry extends an account's mute or ban to guests in the same browser. */
  readonly browser: boolean;
  readonly by: string;
  /** Unix seconds; `null` lasts until it is lifted. */
  readonly endsAt: number | null;
}

/** A client that receives a scene's messages without having joined it. */
export interface ListeningClient {
  readonly idTag: string;
  /** Display name, else the account or the guest's name. */
  readonly displayName: string;
  /** `null` for a guest. */
  readonly account: string | null;
}

/** A scene's lock, mutes, bans and listening clients. */
export interface Moderation {
  readonly locked: boolean;
  readonly bars: readonly Bar[];
  readonly listening: readonly ListeningClient[];
}

/** A moderator's action. */
export type ModerationRequest =
  | { readonly act: "silence" | "ban"; readonly person: string; readonly shown: string; readonly lastsS: number | null }
  | { readonly act: "kick"; readonly person: string; readonly shown: string }
  | { readonly act: "lock" | "unlock" }
  | { readonly act: "lift"; readonly id: string };

/** An account's scenes, which are deleted with it, and the number of its files, which stay. */
export interface Belongings {
  readonly username: string;
  readonly scenes: readonly string[];
  readonly files: number;
  readonly isLastOwner: boolean;
}

/** The secret of a link that creates an account or resets its password. */
export interface AccountLink {
  readonly secret: string;
  /** Unix seconds. */
  readonly endsAt: number;
}

/** Permission to create an account: an invitation or a link; neither where the realm is open. */
export interface Warrant {
  readonly invitation?: string;
  readonly link?: string;
}

/** One method for each request. */
export class Doors {
  readonly #send: SendRequest;

  constructor(send: SendRequest) {
    this.#send = send;
  }

  async invitations(scene: string): Promise<readonly Invitation[]> {
    return listOf(await this.#send("GET", `scenes/${scene}/invitations`), invitationOf);
  }

  async invite(scene: string, { role, lastsS, usesMax }: InvitationRequest): Promise<Invitation> {
    const body = { role, lasts_s: lastsS, uses_max: usesMax };
    return invitationOf(jsonObjectOf(await this.#send("POST", `scenes/${scene}/invitations`, body)));
  }

  async takeBack(scene: string, id: string): Promise<void> {
    await this.#send("DELETE", `scenes/${scene}/invitations/${encodeURIComponent(id)}`);
  }

  /** Redeems an invitation for the signed-in account, else for this browser. Resolves with the scene's name. */
  async redeem(secret: string): Promise<string> {
    return textOr(jsonObjectOf(await this.#send("POST", "invitations/redeem", { secret })).scene, "");
  }

  async moderation(scene: string): Promise<Moderation> {
    return moderationOf(await this.#send("GET", `scenes/${scene}/moderation`));
  }

  async moderate(scene: string, request: ModerationRequest): Promise<Moderation> {
    const { act } = request;
    const lasts = "lastsS" in request && request.lastsS !== null ? { lasts_s: request.lastsS } : {};
    const whom = "person" in request ? { person: request.person, shown: request.shown } : {};
    const body = { act, ...whom, ...lasts, ...("id" in request ? { id: request.id } : {}) };
    return moderationOf(await this.#send("POST", `scenes/${scene}/moderation`, body));
  }

  /** Creates an account and signs in to it. */
  async join(username: string, password: string, warrant: Warrant): Promise<void> {
    await this.#send("POST", "accounts", { username, password, ...warrant });
  }

  async changePassword(old: string, fresh: string): Promise<void> {
    await this.#send("POST", "account/password", { old, new: fresh });
  }

  async belongings(): Promise<Belongings> {
    const { username, scenes, files, is_last_owner } = jsonObjectOf(await this.#send("GET", "account"));
    const names = Array.isArray(scenes) ? scenes.filter((name): name is string => typeof name === "string") : [];
    return {
      username: textOr(username, ""),
      scenes: names,
      files: numberOr(files, 0),
      isLastOwner: is_last_owner === true,
    };
  }

  async deleteAccount(password: string): Promise<void> {
    await this.#send("POST", "account/delete", { password });
  }

  /** Sets a new password by a link and signs in. */
  async resetPassword(secret: string, password: string): Promise<void> {
    await this.#send("POST", "account/reset", { secret, password });
  }

  /** For owners of the realm: a link that resets an account's password or, without `username`, creates an account. */
  async accountLink(username?: string): Promise<AccountLink> {
    const { secret, ends_at } = jsonObjectOf(await this.#send("POST", "account-links", { username: username ?? null }));
    return { secret: textOr(secret, ""), endsAt: numberOr(ends_at, 0) };
  }

  /** For owners of the realm: the names of all accounts. */
  async accounts(): Promise<readonly string[]> {
    return listOf(await this.#send("GET", "accounts"), ({ username }) => textOr(username, ""));
  }
}

function jsonObjectOf(answer: unknown): JsonObject {
  return isJsonObject(answer) ? answer : {};
}

function listOf<T>(answer: unknown, itemOf: (fields: JsonObject) => T): readonly T[] {
  return Array.isArray(answer) ? answer.filter(isJsonObject).map(itemOf) : [];
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function invitationOf({ id, role, ends_at, uses_max, uses, by, secret }: JsonObject): Invitation {
  return {
    id: textOr(id, ""),
    role: role === "editor" ? "editor" : "viewer",
    endsAt: numberOr(ends_at, 0),
    usesMax: numberOrNull(uses_max),
    uses: numberOr(uses, 0),
    by: textOr(by, ""),
    secret: textOrNull(secret),
  };
}

function barOf({ id, kind, shown, account, browser, by, ends_at }: JsonObject): Bar {
  return {
    id: textOr(id, ""),
    kind: kind === "silence" ? "silence" : "out",
    shown: textOr(shown, ""),
    account: textOrNull(account),
    browser: browser === true,
    by: textOr(by, ""),
    endsAt: numberOrNull(ends_at),
  };
}

function listeningOf({ person, shown, account }: JsonObject): ListeningClient {
  return { idTag: textOr(person, ""), displayName: textOr(shown, ""), account: textOrNull(account) };
}

function moderationOf(answer: unknown): Moderation {
  const { locked, bars, listening } = jsonObjectOf(answer);
  return { locked: locked === true, bars: listOf(bars, barOf), listening: listOf(listening, listeningOf) };
}
