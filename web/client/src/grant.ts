/** What a token allows, as far as a client can tell before it asks: `spec/topics.md` section 3. */
import { GRANT_LEEWAY_S } from "./limits.ts";
import type { Reason } from "./reason.ts";
import { parseSceneTopic } from "./topic.ts";
import { coversFilter, matchesFilter } from "./topic-filter.ts";

/** The claims of a token that decide on topics. */
export interface Claims {
  /** Unix seconds. */
  readonly exp: number;
  readonly publ: readonly string[];
  readonly subs: readonly string[];
  readonly userclient?: string;
  readonly userid?: string;
  readonly explicit?: boolean;
}

/** A token's claims in the hands of one MQTT client. */
export interface Holder {
  readonly claims: Claims;
  readonly clientId: string;
  /** Unix seconds. */
  readonly now: number;
}

/** Why a publish on `topic` would be refused; `undefined` where it is allowed. */
export function publishRefusal(holder: Holder, topic: string): Reason | undefined {
  const { claims, clientId } = holder;
  if (expired(holder)) return "not_granted";
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

/** Why a subscription to `filter` would be refused; `undefined` where it is allowed. */
export function subscribeRefusal(holder: Holder, filter: string): Reason | undefined {
  const allowed = !expired(holder) && holder.claims.subs.some((held) => coversFilter(held, filter));
  return allowed ? undefined : "not_granted";
}

const RESERVED: readonly string[] = ["stoa", "-"];

function expired(holder: Holder): boolean {
  return holder.now > holder.claims.exp + GRANT_LEEWAY_S;
}

function ownIds(idTag: string): readonly string[] {
  return [idTag, `handLeft_${idTag}`, `handRight_${idTag}`, `face_${idTag}`];
}
