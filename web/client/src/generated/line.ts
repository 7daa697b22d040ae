// Generated from spec/objects/line.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";
import { type Vector3, vector3Attributes } from "./vector3.ts";

/** A thin straight line. */
export interface Line extends AnyObject {
  readonly object_type: "line";
  /** Colour of the line. Default `"#74BEC1"`. */
  readonly color?: string;
  /** End of the line, relative to the object. In metres. Default `{"x":-0.5,"y":-0.5,"z":0}`. */
  readonly end?: Vector3;
  /** Opacity of the line: 0 is invisible, 1 is opaque. Range: 0 to 1. Default `1`. */
  readonly opacity?: number;
  /** Start of the line, relative to the object. In metres. Default `{"x":0,"y":0.5,"z":0}`. */
  readonly start?: Vector3;
}

/** The schema's description of each attribute of {@link Line}. */
export const lineAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    color: { shape: { kind: "text" }, default: "#74BEC1", format: "color" },
    end: { shape: { kind: "group", group: vector3Attributes }, default: { x: -0.5, y: -0.5, z: 0 }, unit: "metres", required: true },
    opacity: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 1 },
    start: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 0.5, z: 0 }, unit: "metres", required: true },
  },
  prefixes: {
  },
};
