/**
 * Parsers of attribute values, which any editor may have written. Each returns `undefined` for a value of the wrong
 * type.
 */
import { NUMBER_MAX } from "./limits.ts";

/** A JSON object: ARENA's unparsed `data`, a group in it, or a file's content. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A position, scale or point in A-Frame's format. */
export interface Xyz {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** An object with keys: not an array, not null. */
export function bag(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A finite number; older ARENA clients also send numbers as text. */
export function finite(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

/** A finite number, clamped to the bounds. */
export function within(value: unknown, min: number, max: number): number | undefined {
  const number = finite(value);
  return number === undefined ? undefined : Math.min(max, Math.max(min, number));
}

/** Text, or a number as text, cut to `max` characters. */
export function text(value: unknown, max = 10_000): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value.slice(0, max) : undefined;
}

/** A boolean; older clients also send it as text. */
export function flag(value: unknown): boolean | undefined {
  if (value === "true") return true;
  if (value === "false") return false;
  return typeof value === "boolean" ? value : undefined;
}

/** A point: `{x,y,z}`, with `fallback` for missing axes, or the text `"x y z"`. */
export function xyz(value: unknown, fallback = 0): Xyz | undefined {
  const source = typeof value === "string" ? spread(value) : bag(value);
  if (!source) return undefined;
  const [x, y, z] = [coordinate(source.x, fallback), coordinate(source.y, fallback), coordinate(source.z, fallback)];
  return x === undefined || y === undefined || z === undefined ? undefined : { x, y, z };
}

function spread(value: string): JsonObject {
  const [x, y, z] = value.trim().split(/\s+/);
  return { x, y, z };
}

function coordinate(value: unknown, fallback: number): number | undefined {
  return value === undefined ? fallback : within(value, -NUMBER_MAX, NUMBER_MAX);
}

/** A colour: 3 or 6 hex digits with or without `#`, a word like a CSS name, or `{red,green,blue}` of old clients. */
export function color(value: unknown): string | undefined {
  if (typeof value === "string") {
    if (/^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value)) return value.startsWith("#") ? value : `#${value}`;
    return /^[a-z]{3,20}$/i.test(value) ? value.toLowerCase() : undefined;
  }
  const rgb = bag(value);
  if (!rgb) return undefined;
  const parts = [rgb.red, rgb.green, rgb.blue].map((part) => within(part, 0, 255));
  return parts.includes(undefined) ? undefined : `rgb(${parts.map((part) => Math.round(part ?? 0)).join(",")})`;
}

/** One of the given words. */
export function oneOf<Word extends string>(value: unknown, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === value);
}

/** Structural equality of JSON-like values. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => same(item, b[at]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key]));
}
