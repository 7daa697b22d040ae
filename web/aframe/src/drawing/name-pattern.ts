/** Compiles name patterns from untrusted attributes, bounded in evaluation time. Pure. */
import { CLIP_NAME_MAX, PATTERN_REPEATS_MAX } from "../limits.ts";

/**
 * Compiles a pattern to a name test. `*` matches any characters; with `isRegExp` the pattern is a regular expression.
 */
export function nameTest(pattern: string, isRegExp: boolean): (name: string) => boolean {
  if (!isRegExp) return (name) => isMeant(pattern.split("*"), name);
  const test = regExpOf(pattern);
  return (name) => test?.test(name.slice(0, CLIP_NAME_MAX)) ?? false;
}

/** Matches the pieces between wildcards from left to right, without backtracking. */
function isMeant(pieces: readonly string[], name: string): boolean {
  const [first = "", ...others] = pieces;
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length;
}

/**
 * Compiles a pattern. Returns `undefined`, which matches nothing, for an invalid pattern and for a slow one: too long,
 * with too many quantifiers, or with repeated groups or back references, which can take exponential time.
 */
function regExpOf(pattern: string): RegExp | undefined {
  const repeats = pattern.match(/[*+]|\{/g)?.length ?? 0;
  if (pattern.length > CLIP_NAME_MAX || repeats > PATTERN_REPEATS_MAX || /\)[*+?{]|\\[1-9k]/.test(pattern)) return;
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}
