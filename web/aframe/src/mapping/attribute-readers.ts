/**
 * Generates attribute readers from the tables of `spec/objects/`, the single source of ranges, enumerations and
 * defaults.
 */
import type { Attribute, Group, Shape } from "@stoa/client";
import { CAPS, NUMBER_MAX } from "../limits.ts";
import { fileUrl } from "../safe-url.ts";
import { unreachable } from "../unreachable.ts";
import { color, flag, type JsonObject, oneOf, text, within, xyz } from "../values.ts";
import { isShown } from "./unshown.ts";

/** Parses one value; `undefined` for a value of the wrong type. `base` is the page's URL. */
export type AttributeValueParser = (value: unknown, base: string) => unknown;

/** Component name → its settings. Missing components are absent from the entity. */
export type SettingsByComponent = Readonly<Record<string, unknown>>;

/** A parser for each attribute of a component. */
export type AttributeValueParsers = Readonly<Record<string, AttributeValueParser>>;

/** Readers for all supported attributes of a schema; `own` overrides single ones. */
export function readersOf(name: string, group: Group, own: AttributeValueParsers = {}): AttributeValueParsers {
  const shown = Object.entries(group.attributes).filter(([key]) => isShown(name, key));
  return Object.fromEntries(
    shown.map(([key, attribute]) => [key, own[key] ?? readerOf(attribute, capOf(key, attribute))]),
  );
}

/** The largest number that the page accepts for an attribute. */
export function capOf(key: string, attribute: Attribute | undefined): number {
  return attribute?.cap ?? CAPS[key] ?? NUMBER_MAX;
}

/** Parses the attributes in `source`. */
export function read(readers: AttributeValueParsers, source: JsonObject, base: string): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const [key, reader] of Object.entries(readers)) {
    const value = reader(source[key], base);
    if (value !== undefined) settings[key] = value;
  }
  return settings;
}

/** The schema's defaults of the named attributes. */
export function defaultsOf(group: Group, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, group.attributes[key]?.default]));
}

/** The reader of one attribute. Numbers are clamped to the schema's range and to `cap`. */
function readerOf({ format, shape }: Attribute, cap: number): AttributeValueParser {
  if (format === "color") return color;
  return format === "uri-reference" ? fileUrl : readerOfShape(shape, cap);
}

function readerOfShape(shape: Shape, cap: number): AttributeValueParser {
  switch (shape.kind) {
    case "boolean":
      return flag;
    case "text":
      return shape.values ? wordReader(shape.values) : (value) => text(value);
    case "number":
    case "integer": {
      const [min, max] = [shape.minimum ?? -NUMBER_MAX, Math.min(shape.maximum ?? NUMBER_MAX, cap)];
      return shape.kind === "number" ? (value) => within(value, min, max) : (value) => whole(value, min, max);
    }
    case "group":
      return "z" in shape.group.attributes ? (value) => xyz(value) : plane;
    case "choice": {
      const readers = shape.shapes.map((one) => readerOfShape(one, cap));
      return (value, base) => readers.map((reader) => reader(value, base)).find((found) => found !== undefined);
    }
    case "any":
    case "array":
    case "object":
      // No A-Frame component takes these directly; the supported ones are parsed by hand.
      return () => undefined;
    default:
      return unreachable(shape);
  }
}

function wordReader(words: readonly string[]): AttributeValueParser {
  return (value) => oneOf(value, words);
}

function whole(value: unknown, min: number, max: number): number | undefined {
  const number = within(value, min, max);
  return number === undefined ? undefined : Math.round(number);
}

function plane(value: unknown): JsonObject | undefined {
  const point = xyz(value);
  return point && { x: point.x, y: point.y };
}
