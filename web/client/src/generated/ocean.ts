// Generated from spec/objects/ocean.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A moving surface of water. */
export interface Ocean extends AnyObject {
  readonly object_type: "ocean";
  /** Height of the waves. In metres. Default `0.1`. */
  readonly amplitude?: number;
  /** By how much the heights of waves differ. In metres. Default `0.3`. */
  readonly amplitudeVariance?: number;
  /** Colour of the water. Default `"#7AD2F7"`. */
  readonly color?: string;
  /** Into how many parts the surface is cut each way. Range: at least 0. Default `10`. */
  readonly density?: number;
  /** Size along z. In metres. Range: at least 0. Default `10`. */
  readonly depth?: number;
  /** Opacity of the water: 0 is invisible, 1 is opaque. Range: 0 to 1. Default `0.8`. */
  readonly opacity?: number;
  /** Speed of the waves. Default `1`. */
  readonly speed?: number;
  /** By how much the speeds of waves differ. Default `2`. */
  readonly speedVariance?: number;
  /** Size along x. In metres. Range: at least 0. Default `10`. */
  readonly width?: number;
}

/** The schema's description of each attribute of {@link Ocean}. */
export const oceanAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    amplitude: { shape: { kind: "number" }, default: 0.1, unit: "metres" },
    amplitudeVariance: { shape: { kind: "number" }, default: 0.3, unit: "metres" },
    color: { shape: { kind: "text" }, default: "#7AD2F7", format: "color" },
    density: { shape: { kind: "number", minimum: 0 }, default: 10, cap: 64 },
    depth: { shape: { kind: "number", minimum: 0 }, default: 10, unit: "metres", required: true },
    opacity: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 0.8 },
    speed: { shape: { kind: "number" }, default: 1 },
    speedVariance: { shape: { kind: "number" }, default: 2 },
    width: { shape: { kind: "number", minimum: 0 }, default: 10, unit: "metres", required: true },
  },
  prefixes: {
  },
};
