/** Syntax and covering of topic filters. Only the realm uses them, but the vectors test them in all languages. */
import { expired, type TopicAuthorizationInput } from "../../src/grant.ts";
import { utf8Length } from "../../src/json-values.ts";
import { TOPIC_BYTES_MAX, TOPIC_LEVELS_MAX } from "../../src/limits.ts";
import { type ParseResult, type Reason, refusedFor, taken } from "../../src/reason.ts";

/** Parses a filter; `bad_topic` for an empty or long one, a wildcard that shares its level, or levels after `#`. */
export function parseFilter(text: string): ParseResult<string> {
  if (text === "" || text.includes("\0") || utf8Length(text) > TOPIC_BYTES_MAX) return refusedFor("bad_topic");
  const levels = text.split("/");
  if (levels.length > TOPIC_LEVELS_MAX) return refusedFor("bad_topic");
  const formed = levels.every(
    (level, i) => !/[+#]/.test(level) || (level.length === 1 && (level === "+" || i === levels.length - 1)),
  );
  return formed ? taken(text) : refusedFor("bad_topic");
}

/** Whether the right `filter` covers `other`: `+` covers `+` or a name, `#` covers one or more remaining levels. */
export function coversFilter(filter: string, other: string): boolean {
  const asked = other.split("/");
  const levels = filter.split("/");
  for (const [i, level] of levels.entries()) {
    const wanted = asked[i];
    if (wanted === undefined) return false;
    if (level === "#") return true;
    if (level === "+" ? wanted === "#" : level !== wanted) return false;
  }
  return asked.length === levels.length;
}

/** The reason to refuse a subscription to `filter` with the rights `subs`; `undefined` if it is allowed. */
export function subscribeRefusal(
  context: TopicAuthorizationInput,
  subs: readonly string[],
  filter: string,
): Reason | undefined {
  const allowed = !expired(context) && subs.some((held) => coversFilter(held, filter));
  return allowed ? undefined : "not_granted";
}
