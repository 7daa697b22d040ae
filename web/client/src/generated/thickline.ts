// Generated from spec/objects/thickline.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A line along several points, with a width. */
export interface ThickLine extends AnyObject {
  readonly object_type: "thickline";
  /** Colour of the line. Default `"#000000"`. */
  readonly color?: string;
  /** Width of the line. In px. Range: at least 0. Default `1`. */
  readonly lineWidth?: number;
  /** Change of the width along the line. Default `"default"`. */
  readonly lineWidthStyler?: "default" | "grow" | "shrink" | "center-sharp" | "center-smooth" | "sine-wave";
  /** The points of the way: coordinates apart by blanks, points apart by commas. Default `"-2 -1 0, 0 20 0, 10 -1 10"`. */
  readonly path?: string;
  /** Whether the line looks thinner from further away. Default `false`. */
  readonly sizeAttenuation?: boolean;
}

/** The schema's description of each attribute of {@link ThickLine}. */
export const thicklineAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    color: { shape: { kind: "text" }, default: "#000000", format: "color" },
    lineWidth: { shape: { kind: "number", minimum: 0 }, default: 1, cap: 500, unit: "px", required: true },
    lineWidthStyler: { shape: { kind: "text", values: ["default", "grow", "shrink", "center-sharp", "center-smooth", "sine-wave"] }, default: "default", required: true },
    path: { shape: { kind: "text" }, default: "-2 -1 0, 0 20 0, 10 -1 10", required: true },
    sizeAttenuation: { shape: { kind: "boolean" }, default: false },
  },
  prefixes: {
  },
};
