// Generated from spec/objects/circle.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A flat disc. */
export interface Circle extends AnyObject {
  readonly object_type: "circle";
  /** Colour of the surface; write `material.color` instead. @deprecated */
  readonly color?: string;
  /** Distance from the centre to the edge. In metres. Range: at least 0. Default `1`. */
  readonly radius?: number;
  /** Into how many triangles the disc is cut. Range: at least 1. Default `32`. */
  readonly segments?: number;
  /** Angle that the shape spans from where it begins. In degrees. Range: at least 0. Default `360`. */
  readonly thetaLength?: number;
  /** Angle at which the shape begins. In degrees. Default `0`. */
  readonly thetaStart?: number;
}

/** The schema's description of each attribute of {@link Circle}. */
export const circleAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    color: { shape: { kind: "text" }, format: "color", deprecated: true },
    radius: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
    segments: { shape: { kind: "integer", minimum: 1 }, default: 32 },
    thetaLength: { shape: { kind: "number", minimum: 0 }, default: 360, unit: "degrees" },
    thetaStart: { shape: { kind: "number" }, default: 0, unit: "degrees" },
  },
  prefixes: {
  },
};
