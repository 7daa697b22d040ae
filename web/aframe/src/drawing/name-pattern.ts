/** Patterns for names, written by strangers: bounded, so that none of them takes a page's time. Pure. */
import { CLIP_NAME_MAX, PATTERN_REPEATS_MAX } from "../limits.ts";

/** Says of a name whether the pattern means it. `*` stands for any letters; with `isRegExp` it is a regular expression. */
export function nameTest(pattern: string, isRegExp: boolean): (name: string) => boolean {
  if (!isRegExp) return (name) => isMeant(pattern.split("*"), name);
  const test = regExpOf(pattern);
  return (name) => test?.test(name.slice(0, CLIP_NAME_MAX)) ?? false;
}

/** Piece after piece, each as early as possible: in time that grows with the name alone. */
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

/** Repeated groups and references back take time that doubles with each letter: a pattern with such means nothing. */
function regExpOf(pattern: string): RegExp | undefined {
  const repeats = pattern.match(/[*+]|\{/g)?.length ?? 0;
  if (pattern.length > CLIP_NAME_MAX || repeats > PATTERN_REPEATS_MAX || /\)[*+?{]|\\[1-9k]/.test(pattern)) return;
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}
