// Generated from spec/objects/roundedbox.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A box with rounded edges. */
export interface RoundedBox extends AnyObject {
  readonly object_type: "roundedbox";
  /** Colour of the surface; write `material.color` instead. @deprecated */
  readonly color?: string;
  /** Size along z. In metres. Range: at least 0. Default `1`. */
  readonly depth?: number;
  /** Size along y. In metres. Range: at least 0. Default `1`. */
  readonly height?: number;
  /** Radius of the rounded edges. In metres. Range: at least 0. Default `0.15`. */
  readonly radius?: number;
  /** Into how many parts each rounded edge is cut. Range: at least 1. Default `10`. */
  readonly radiusSegments?: number;
  /** Size along x. In metres. Range: at least 0. Default `1`. */
  readonly width?: number;
}

/** The schema's description of each attribute of {@link RoundedBox}. */
export const roundedboxAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    color: { shape: { kind: "text" }, format: "color", deprecated: true },
    depth: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
    height: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
    radius: { shape: { kind: "number", minimum: 0 }, default: 0.15, unit: "metres", required: true },
    radiusSegments: { shape: { kind: "integer", minimum: 1 }, default: 10 },
    width: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
  },
  prefixes: {
  },
};
