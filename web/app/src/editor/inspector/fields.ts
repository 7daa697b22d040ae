/** Maps a schema's attribute to a form field, and typed text to a value or an error. Pure functions. */
import type { Attribute, Group, Shape } from "@stoa/client";
import { help } from "@stoa/client/help";
import { texts } from "../../texts/texts.ts";
import type { FieldWords } from "../../texts/texts-fields.ts";

const words = texts.edit.details;

export type FormFieldKind =
  | { readonly kind: "flag" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "color" }
  | { readonly kind: "line"; readonly isAddress: boolean }
  | { readonly kind: "text" }
  | { readonly kind: "number"; readonly whole: boolean; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: "axes"; readonly axes: readonly string[] }
  | { readonly kind: "group"; readonly group: Group }
  | { readonly kind: "words" }
  | { readonly kind: "json" };

const AXES: readonly string[] = ["x", "y", "z", "w"];
/** Attributes whose text may take several lines. */
const LONG: readonly string[] = ["value", "description", "body", "bodyText", "title"];

/** The field for an attribute with its current value. */
export function fieldOf(name: string, { shape, format }: Attribute, value: unknown): FormFieldKind {
  const chosen = shape.kind === "choice" ? shapeFor(shape.shapes, value) : shape;
  switch (chosen.kind) {
    case "boolean":
      return { kind: "flag" };
    case "text":
      if (chosen.values !== undefined) return { kind: "choice", values: chosen.values };
      if (format === "color") return { kind: "color" };
      if (LONG.includes(name)) return { kind: "text" };
      return { kind: "line", isAddress: format === "uri-reference" };
    case "number":
    case "integer": {
      const { minimum, maximum } = chosen;
      const ends = { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
      return { kind: "number", whole: chosen.kind === "integer", ...ends };
    }
    case "group": {
      const keys = Object.keys(chosen.group.attributes);
      const isAxes = keys.length > 0 && keys.every((key) => AXES.includes(key));
      return isAxes ? { kind: "axes", axes: keys } : { kind: "group", group: chosen.group };
    }
    case "array":
      return chosen.items.kind === "text" && chosen.items.values === undefined ? { kind: "words" } : { kind: "json" };
    default:
      return { kind: "json" };
  }
}

/** The shape of a choice that fits the value; if none fits, the first of the kinds in `byWorth`. */
function shapeFor(shapes: readonly Shape[], value: unknown): Shape {
  const fits = (shape: Shape): boolean => {
    switch (shape.kind) {
      case "boolean":
        return typeof value === "boolean";
      case "text":
        return typeof value === "string";
      case "number":
      case "integer":
        return typeof value === "number";
      case "array":
        return Array.isArray(value);
      default:
        return typeof value === "object" && value !== null && !Array.isArray(value);
    }
  };
  const found = value === undefined ? undefined : shapes.find(fits);
  const byWorth = (["boolean", "group", "number", "integer", "text"] as const).flatMap(
    (kind) => shapes.find((shape) => shape.kind === kind) ?? [],
  );
  return found ?? byWorth[0] ?? shapes[0] ?? { kind: "any" };
}

/**
 * A value, or the error for the typed text. An empty field gives `null`, which removes the attribute; an empty field of
 * several lines gives an empty text.
 */
export type TypedValueResult = { readonly value: unknown } | { readonly wrong: string };

export function typedValue(field: FormFieldKind, text: string): TypedValueResult {
  const trimmed = text.trim();
  switch (field.kind) {
    case "number":
      return trimmed === "" ? { value: null } : numberIn(field, trimmed);
    case "choice":
      if (trimmed === "") return { value: null };
      return field.values.includes(trimmed) ? { value: trimmed } : { wrong: words.notAllowed };
    case "line":
    case "color":
      return { value: trimmed === "" ? null : trimmed };
    case "text":
      return { value: text };
    case "words": {
      const parts = trimmed.split(/\s*,\s*|\n+/).filter((part) => part !== "");
      return { value: parts.length === 0 ? null : parts };
    }
    case "json":
      return trimmed === "" ? { value: null } : jsonIn(trimmed);
    default:
      return { value: text };
  }
}

function numberIn(field: Extract<FormFieldKind, { kind: "number" }>, text: string): TypedValueResult {
  const value = Number(text.replace(",", "."));
  if (!Number.isFinite(value) || (field.whole && !Number.isInteger(value))) return { wrong: words.badNumber };
  const { minimum, maximum } = field;
  const isBelow = minimum !== undefined && value < minimum;
  const isAbove = maximum !== undefined && value > maximum;
  if (!isBelow && !isAbove) return { value };
  if (minimum !== undefined && maximum !== undefined) return { wrong: words.within(minimum, maximum) };
  return { wrong: isBelow ? words.below(minimum) : words.above(maximum ?? 0) };
}

function jsonIn(text: string): TypedValueResult {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return { wrong: words.badJson };
  }
}

/** A value as its field shows it. */
export function shownValue(field: FormFieldKind, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (field.kind === "words") return Array.isArray(value) ? value.join(", ") : String(value);
  if (field.kind === "json" || typeof value === "object") return JSON.stringify(value);
  return String(value);
}

/** An attribute's name and meaning for people; `undefined` for attributes without a text. */
export function wordsOf(schema: string, name: string): FieldWords | undefined {
  const words = Object.hasOwn(texts.edit.fields, schema) ? texts.edit.fields[schema] : undefined;
  return words !== undefined && Object.hasOwn(words, name) ? words[name] : undefined;
}

/** An attribute's meaning in one line; empty if neither the texts nor the schemas have one. */
export function meaningOf(schema: string, name: string): string {
  const said = Object.hasOwn(help, schema) ? help[schema]?.attributes[name] : undefined;
  return wordsOf(schema, name)?.means ?? said ?? help["any-object"]?.attributes[name] ?? "";
}

export type NamedAttribute = readonly [name: string, attribute: Attribute];

/** Attributes that are shown at once, and those that are folded. */
export interface VisibleAndFoldedAttributes {
  readonly shown: readonly NamedAttribute[];
  readonly more: readonly NamedAttribute[];
}

/**
 * Splits attributes. Shown are those with a text, in the order of the texts, and then those that are set; the rest is
 * folded. If no attribute has a text, all are shown.
 */
export function parted(
  schema: string,
  named: readonly NamedAttribute[],
  isSet: (name: string) => boolean,
): VisibleAndFoldedAttributes {
  const order = Object.keys((Object.hasOwn(texts.edit.fields, schema) && texts.edit.fields[schema]) || {});
  const known = order.flatMap((name) => named.filter(([one]) => one === name));
  const others = named.filter(([name]) => !order.includes(name));
  const [set, unset] = [others.filter(([name]) => isSet(name)), others.filter(([name]) => !isSet(name))];
  return known.length === 0 ? { shown: [...set, ...unset], more: [] } : { shown: [...known, ...set], more: unset };
}

/** The attribute's name in words: `segmentsHeight` → `Segments height`. */
export function labelOf(name: string): string {
  const spaced = name
    .replace(/^animation__/, "animation ")
    .replaceAll(/[_-]+/g, " ")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
