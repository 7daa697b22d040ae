// Generated from spec/objects/ring.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A flat ring. */
export interface Ring extends AnyObject {
  readonly object_type: "ring";
  /** Colour of the surface; write `material.color` instead. @deprecated */
  readonly color?: string;
  /** Radius of the hole. In metres. Range: at least 0. Default `0.8`. */
  readonly radiusInner?: number;
  /** Radius of the outer edge. In metres. Range: at least 0. Default `1.2`. */
  readonly radiusOuter?: number;
  /** Into how many rings the mesh is cut from the inner to the outer edge. Range: at least 1. Default `10`. */
  readonly segmentsPhi?: number;
  /** Into how many parts the mesh is cut around. Range: at least 1. Default `32`. */
  readonly segmentsTheta?: number;
  /** Angle that the shape spans from where it begins. In degrees. Range: at least 0. Default `360`. */
  readonly thetaLength?: number;
  /** Angle at which the shape begins. In degrees. Default `0`. */
  readonly thetaStart?: number;
}

/** The schema's description of each attribute of {@link Ring}. */
export const ringAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    color: { shape: { kind: "text" }, format: "color", deprecated: true },
    radiusInner: { shape: { kind: "number", minimum: 0 }, default: 0.8, unit: "metres", required: true },
    radiusOuter: { shape: { kind: "number", minimum: 0 }, default: 1.2, unit: "metres", required: true },
    segmentsPhi: { shape: { kind: "integer", minimum: 1 }, default: 10 },
    segmentsTheta: { shape: { kind: "integer", minimum: 1 }, default: 32 },
    thetaLength: { shape: { kind: "number", minimum: 0 }, default: 360, unit: "degrees" },
    thetaStart: { shape: { kind: "number" }, default: 0, unit: "degrees" },
  },
  prefixes: {
  },
};
