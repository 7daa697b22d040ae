/** Topic filters: `spec/topics.md` section 3. */

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
