/** Topic filters: matching as MQTT 4.7 says, covering as grants need it (`spec/topics.md` section 3). */
import { TOPIC_BYTES_MAX } from "./limits.ts";
import { utf8Length } from "./plain.ts";
import { type Parsed, refusedFor, taken } from "./reason.ts";

/** Takes a filter; refused (`bad_topic`) where it is empty, too long, or a wildcard shares its level or is followed by one. */
export function parseFilter(text: string): Parsed<string> {
  if (text === "" || text.includes("\0") || utf8Length(text) > TOPIC_BYTES_MAX) return refusedFor("bad_topic");
  const levels = text.split("/");
  const formed = levels.every(
    (level, i) => !/[+#]/.test(level) || (level.length === 1 && (level === "+" || i === levels.length - 1)),
  );
  return formed ? taken(text) : refusedFor("bad_topic");
}

/** Whether a message on `topic` is meant. A topic that begins with `$` never matches a wildcard at the first level. */
export function matchesFilter(filter: string, topic: string): boolean {
  if (topic.startsWith("$") && /^[+#]/.test(filter)) return false;
  const tokens = topic.split("/");
  const levels = filter.split("/");
  for (const [i, level] of levels.entries()) {
    if (level === "#") return true;
    const token = tokens[i];
    if (token === undefined || (level !== "+" && level !== token)) return false;
  }
  return tokens.length === levels.length;
}

/** Whether whoever holds `filter` may have `other`: `+` covers `+` or a name but not `#`; `#` covers one or more remaining levels. */
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
