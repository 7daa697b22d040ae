// Generated from spec/objects/rotation.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Rotation of the object: a unit quaternion. */
export interface Rotation {
  /** Real part; without it `x`, `y` and `z` are Euler angles in degrees, which is deprecated. Default `1`. */
  readonly w?: number;
  /** Imaginary part along x. Default `0`. */
  readonly x?: number;
  /** Imaginary part along y. Default `0`. */
  readonly y?: number;
  /** Imaginary part along z. Default `0`. */
  readonly z?: number;
}

/** The schema's description of each attribute of {@link Rotation}. */
export const rotationAttributes: Group = {
  attributes: {
    w: { shape: { kind: "number" }, default: 1, required: true },
    x: { shape: { kind: "number" }, default: 0, required: true },
    y: { shape: { kind: "number" }, default: 0, required: true },
    z: { shape: { kind: "number" }, default: 0, required: true },
  },
  prefixes: {
  },
};
