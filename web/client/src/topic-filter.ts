/** Matches topics against topic filters: `spec/topics.md` section 3. */

/** Whether `filter` matches `topic`. A wildcard at the first level never matches a topic that begins with `$`. */
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
