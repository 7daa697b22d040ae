// Generated from spec/objects/sphere.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A sphere. */
export interface Sphere extends AnyObject {
  readonly object_type: "sphere";
  /** Colour of the surface; write `material.color` instead. @deprecated */
  readonly color?: string;
  /** Angle around the vertical axis that the shape spans. In degrees. Range: at least 0. Default `360`. */
  readonly phiLength?: number;
  /** Angle around the vertical axis at which the shape begins. In degrees. Default `0`. */
  readonly phiStart?: number;
  /** Distance from the centre to the surface. In metres. Range: at least 0. Default `1`. */
  readonly radius?: number;
  /** Into how many parts the mesh is cut from pole to pole. Range: at least 1. Default `18`. */
  readonly segmentsHeight?: number;
  /** Into how many parts the mesh is cut around the vertical axis. Range: at least 1. Default `36`. */
  readonly segmentsWidth?: number;
  /** Angle from pole to pole that the shape spans. In degrees. Range: at least 0. Default `180`. */
  readonly thetaLength?: number;
  /** Angle from the upper pole at which the shape begins. In degrees. Default `0`. */
  readonly thetaStart?: number;
}

/** The schema's description of each attribute of {@link Sphere}. */
export const sphereAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    color: { shape: { kind: "text" }, format: "color", deprecated: true },
    phiLength: { shape: { kind: "number", minimum: 0 }, default: 360, unit: "degrees" },
    phiStart: { shape: { kind: "number" }, default: 0, unit: "degrees" },
    radius: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
    segmentsHeight: { shape: { kind: "integer", minimum: 1 }, default: 18 },
    segmentsWidth: { shape: { kind: "integer", minimum: 1 }, default: 36 },
    thetaLength: { shape: { kind: "number", minimum: 0 }, default: 180, unit: "degrees" },
    thetaStart: { shape: { kind: "number" }, default: 0, unit: "degrees" },
  },
  prefixes: {
  },
};
