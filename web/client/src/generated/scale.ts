// Generated from spec/objects/scale.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Scale of the object along its axes. */
export interface Scale {
  /** Factor along x. Default `1`. */
  readonly x?: number;
  /** Factor along y. Default `1`. */
  readonly y?: number;
  /** Factor along z. Default `1`. */
  readonly z?: number;
}

/** The schema's description of each attribute of {@link Scale}. */
export const scaleAttributes: Group = {
  attributes: {
    x: { shape: { kind: "number" }, default: 1, required: true },
    y: { shape: { kind: "number" }, default: 1, required: true },
    z: { shape: { kind: "number" }, default: 1, required: true },
  },
  prefixes: {
  },
};
