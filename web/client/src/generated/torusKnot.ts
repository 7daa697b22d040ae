// Generated from spec/objects/torusKnot.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A knotted tube. */
export interface TorusKnot extends AnyObject {
  readonly object_type: "torusKnot";
  /** Colour of the surface; write `material.color` instead. @deprecated */
  readonly color?: string;
  /** Turns of the knot around its axis of rotation. Range: at least 1. Default `2`. */
  readonly p?: number;
  /** Turns of the knot around the inside of its ring. Range: at least 1. Default `3`. */
  readonly q?: number;
  /** Radius of the knot, up to the middle of the tube. In metres. Range: at least 0. Default `1`. */
  readonly radius?: number;
  /** Radius of the tube itself. In metres. Range: at least 0. Default `0.2`. */
  readonly radiusTubular?: number;
  /** Into how many parts the mesh is cut around its axis. Range: at least 1. Default `8`. */
  readonly segmentsRadial?: number;
  /** Into how many parts the tube is cut along its way. Range: at least 1. Default `100`. */
  readonly segmentsTubular?: number;
}

/** The schema's description of each attribute of {@link TorusKnot}. */
export const torusKnotAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    color: { shape: { kind: "text" }, format: "color", deprecated: true },
    p: { shape: { kind: "number", minimum: 1 }, default: 2 },
    q: { shape: { kind: "number", minimum: 1 }, default: 3 },
    radius: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
    radiusTubular: { shape: { kind: "number", minimum: 0 }, default: 0.2, unit: "metres", required: true },
    segmentsRadial: { shape: { kind: "integer", minimum: 1 }, default: 8 },
    segmentsTubular: { shape: { kind: "integer", minimum: 1 }, default: 100 },
  },
  prefixes: {
  },
};
