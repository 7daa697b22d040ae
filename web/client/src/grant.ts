/** Predicts a token's rights from its claims: `spec/topics.md` section 3. */
import { isJsonObject, type JsonObject } from "./json-values.ts";
import { GRANT_LEEWAY_S } from "./limits.ts";
import type { Reason } from "./reason.ts";
import { parseSceneTopic } from "./topic.ts";
import { matchesFilter } from "./topic-filter.ts";

/** The claims of a token that the rules of topics use. */
export interface TokenClaims {
  /** Unix seconds. */
  readonly exp: number;
  readonly publ: readonly string[];
  readonly userclient?: string;
  readonly userid?: string;
  readonly explicit?: boolean;
}

/** Decodes a token's claims without checking its signature; `undefined` if it is no token. */
export function claimsOf(token: string): TokenClaims | undefined {
  const middle = token.split(".")[1] ?? "";
  try {
    const bytes = Uint8Array.from(atob(middle.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isJsonObject(json) ? decodeClaims(json) : undefined;
  } catch {
    return undefined;
  }
}

/** Decodes the claims that the rules use. */
export function decodeClaims({ exp, publ, explicit, userclient, userid }: JsonObject): TokenClaims {
  return {
    exp: Number(exp),
    publ: Array.isArray(publ) ? publ.filter((filter) => typeof filter === "string") : [],
    explicit: explicit === true,
    ...(typeof userclient === "string" ? { userclient } : {}),
    ...(typeof userid === "string" ? { userid } : {}),
  };
}

/** A token's claims, the MQTT client that uses the token, and the time. */
export interface TopicAuthorizationInput {
  readonly claims: TokenClaims;
  readonly clientId: string;
  /** Unix seconds. */
  readonly now: number;
}

/** The reason to refuse a publish on `topic`; `undefined` if it is allowed. */
export function publishRefusal(context: TopicAuthorizationInput, topic: string): Reason | undefined {
  const { claims, clientId } = context;
  if (expired(context)) return "not_granted";
  const parsed = parseSceneTopic(topic);
  if (parsed.ok) {
    const { kind, userClient, uuid } = parsed.value;
    if (userClient !== (claims.userclient ?? clientId) || RESERVED.includes(userClient)) return "wrong_identity";
    const own = claims.userid ?? clientId;
    const personal = kind === "x" || kind === "u" || kind === "c";
    if (personal && claims.explicit !== true && !ownIds(own).includes(uuid)) return "wrong_identity";
  }
  return claims.publ.some((filter) => matchesFilter(filter, topic)) ? undefined : "not_granted";
}

/** Client ids (token 5) that no client may use. */
const RESERVED: readonly string[] = ["stoa", "-"];

/** Whether a token has expired, with `GRANT_LEEWAY_S` for differing clocks. */
export function expired(context: TopicAuthorizationInput): boolean {
  return context.now > context.claims.exp + GRANT_LEEWAY_S;
}

function ownIds(idTag: string): readonly string[] {
  return [idTag, `handLeft_${idTag}`, `handRight_${idTag}`, `face_${idTag}`];
}
