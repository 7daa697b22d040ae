// Generated from spec/objects/vector2.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A pair of numbers. */
export interface Vector2 {
  /** First number. Default `0`. */
  readonly x?: number;
  /** Second number. Default `0`. */
  readonly y?: number;
}

/** The schema's description of each attribute of {@link Vector2}. */
export const vector2Attributes: Group = {
  attributes: {
    x: { shape: { kind: "number" }, default: 0, required: true },
    y: { shape: { kind: "number" }, default: 0, required: true },
  },
  prefixes: {
  },
};
