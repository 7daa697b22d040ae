/** Narrows `unknown` JSON values. */

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The attributes of an object: ARENA's `data`, unchanged. */
export type Attributes = Readonly<Record<string, unknown>>;

/** Whether `value` is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `value` if it is a string, else `fallback`. */
export function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}

/** `value` if it is a finite number, else `fallback`. */
export function numberOr(value: unknown, fallback: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : fallback;
}

const encoder = new TextEncoder();

/** Length in bytes of UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/** Whether two JSON values are deeply equal. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
  );
}
