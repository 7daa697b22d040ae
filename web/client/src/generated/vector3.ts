// Generated from spec/objects/vector3.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A point or direction. */
export interface Vector3 {
  /** Along x. Default `0`. */
  readonly x?: number;
  /** Along y. Default `0`. */
  readonly y?: number;
  /** Along z. Default `0`. */
  readonly z?: number;
}

/** The schema's description of each attribute of {@link Vector3}. */
export const vector3Attributes: Group = {
  attributes: {
    x: { shape: { kind: "number" }, default: 0, required: true },
    y: { shape: { kind: "number" }, default: 0, required: true },
    z: { shape: { kind: "number" }, default: 0, required: true },
  },
  prefixes: {
  },
};
