/** Merges an `update` into attributes: `spec/topics.md` section 2.1. */
import { isJsonObject, type JsonObject, sameJson } from "./json-values.ts";

/** Deep merge: arrays are replaced, a `null` leaf removes its key. Both arguments stay unchanged. */
export function mergeAttributes(base: JsonObject, patch: JsonObject): JsonObject {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else if (isJsonObject(value)) {
      const old = merged.get(key);
      merged.set(key, mergeAttributes(isJsonObject(old) ? old : {}, value));
    } else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** The sorted top-level keys with different values. */
export function changedKeys(before: JsonObject, after: JsonObject): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !sameJson(before[key], after[key])).sort();
}
