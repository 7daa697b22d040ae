/** Converts an object's attributes to the fields of the edit panel and back. */
import type { Attributes } from "@stoa/client";
import { degreesOf, quaternionOf } from "../../scene/rotation.ts";

export type Axis = "x" | "y" | "z";
/** An attribute of three numbers. */
export type TransformAttributeName = "position" | "rotation" | "scale";

/** Whether the value is a JSON object. */
export function isBag(value: unknown): value is Attributes {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function number(value: unknown, fallback: number): number {
  return typeof value === "number" && Number.isFinite(value) ? value : fallback;
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000 || 0;
}

/** The three numbers of a field: metres, degrees or factors. */
export function numbersOf(attributes: Attributes, key: TransformAttributeName): Readonly<Record<Axis, number>> {
  const value = attributes[key];
  const bag = isBag(value) ? value : {};
  const missing = key === "scale" ? 1 : 0;
  const [x, y, z] = [number(bag.x, missing), number(bag.y, missing), number(bag.z, missing)];
  if (key !== "rotation" || bag.w === undefined) return { x: round(x), y: round(y), z: round(z) };
  const [a, b, c] = degreesOf([x, y, z, number(bag.w, 1)]);
  return { x: round(a), y: round(b), z: round(c) };
}

/** The change that sets one of the three numbers; `undefined` if it isn't finite. */
export function withNumber(
  attributes: Attributes,
  key: TransformAttributeName,
  axis: Axis,
  value: number,
): Attributes | undefined {
  if (!Number.isFinite(value)) return undefined;
  const numbers = { ...numbersOf(attributes, key), [axis]: round(value) };
  if (key !== "rotation") return { [key]: numbers };
  const [x, y, z, w] = quaternionOf([numbers.x, numbers.y, numbers.z]);
  return { rotation: { x: round(x), y: round(y), z: round(z), w: round(w) } };
}

/** An object's colour for a colour field, and the change that sets it. */
export interface EditableColor {
  /** `#rrggbb` */
  readonly value: string;
  readonly patch: (color: string) => Attributes;
}

/** Object types whose colour is the attribute `color`, not the material's. */
const WITH_OWN_COLOR: readonly unknown[] = ["text", "light", "line", "thickline"];
/** Object types without a colour. */
const WITHOUT_COLOR: readonly unknown[] = [
  ...["arenaui-button-panel", "arenaui-card", "arenaui-prompt", "entity", "gaussian_splatting", "gltf-model", "image"],
  ...["obj-model", "pcd-model", "templateContainer", "threejs-scene", "urdf-model", "videosphere"],
];

/** The object's colour and the change that sets it; `undefined` for types in `WITHOUT_COLOR`. */
export function colorKey(attributes: Attributes): EditableColor | undefined {
  const { object_type: type, material, color } = attributes;
  if (WITHOUT_COLOR.includes(type)) return undefined;
  if (WITH_OWN_COLOR.includes(type)) return { value: sixDigits(color), patch: (picked) => ({ color: picked }) };
  const of = isBag(material) ? material.color : undefined;
  return { value: sixDigits(of), patch: (picked) => ({ material: { color: picked } }) };
}

function sixDigits(color: unknown): string {
  if (typeof color !== "string") return "#ffffff";
  if (/^#[0-9a-fA-F]{6}$/.test(color)) return color.toLowerCase();
  const short = /^#([0-9a-fA-F])([0-9a-fA-F])([0-9a-fA-F])$/.exec(color);
  return short === null
    ? "#ffffff"
    : `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join("")}`.toLowerCase();
}
