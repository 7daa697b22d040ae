// Generated from spec/objects/capsule.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A cylinder with rounded ends. */
export interface Capsule extends AnyObject {
  readonly object_type: "capsule";
  /** Colour of the surface; write `material.color` instead. @deprecated */
  readonly color?: string;
  /** Length of the straight part between the two caps. In metres. Range: at least 0. Default `1`. */
  readonly length?: number;
  /** Distance from the centre to the surface. In metres. Range: at least 0. Default `1`. */
  readonly radius?: number;
  /** Into how many parts each rounded end is cut. Range: at least 1. Default `18`. */
  readonly segmentsCap?: number;
  /** Into how many parts the mesh is cut around its axis. Range: at least 1. Default `36`. */
  readonly segmentsRadial?: number;
}

/** The schema's description of each attribute of {@link Capsule}. */
export const capsuleAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    color: { shape: { kind: "text" }, format: "color", deprecated: true },
    length: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
    radius: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
    segmentsCap: { shape: { kind: "integer", minimum: 1 }, default: 18 },
    segmentsRadial: { shape: { kind: "integer", minimum: 1 }, default: 36 },
  },
  prefixes: {
  },
};
