// Generated from spec/objects/torus.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A ring with a round section. */
export interface Torus extends AnyObject {
  readonly object_type: "torus";
  /** Angle that the ring spans; less than a full turn leaves a gap. In degrees. Default `360`. */
  readonly arc?: number;
  /** Colour of the surface; write `material.color` instead. @deprecated */
  readonly color?: string;
  /** Radius of the ring, up to the middle of the tube. In metres. Range: at least 0. Default `1`. */
  readonly radius?: number;
  /** Radius of the tube itself. In metres. Range: at least 0. Default `0.2`. */
  readonly radiusTubular?: number;
  /** Into how many parts the mesh is cut around its axis. Range: at least 1. Default `36`. */
  readonly segmentsRadial?: number;
  /** Into how many parts the tube is cut along its way. Range: at least 1. Default `32`. */
  readonly segmentsTubular?: number;
}

/** The schema's description of each attribute of {@link Torus}. */
export const torusAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    arc: { shape: { kind: "number" }, default: 360, unit: "degrees" },
    color: { shape: { kind: "text" }, format: "color", deprecated: true },
    radius: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
    radiusTubular: { shape: { kind: "number", minimum: 0 }, default: 0.2, unit: "metres", required: true },
    segmentsRadial: { shape: { kind: "integer", minimum: 1 }, default: 36 },
    segmentsTubular: { shape: { kind: "integer", minimum: 1 }, default: 32 },
  },
  prefixes: {
  },
};
