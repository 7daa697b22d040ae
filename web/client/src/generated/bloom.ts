// Generated from spec/objects/bloom.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Glow around bright places. */
export interface Bloom {
  /** Radius of the glow. Range: at least 0. Default `0.1`. */
  readonly radius?: number;
  /** Resolution at which the effect is computed. In px. Range: at least 0. Default `256`. */
  readonly resolution?: number;
  /** Strength of the glow. Range: at least 0. Default `0.5`. */
  readonly strength?: number;
  /** Brightness from which places glow. Range: 0 to 1. Default `0`. */
  readonly threshold?: number;
}

/** The schema's description of each attribute of {@link Bloom}. */
export const bloomAttributes: Group = {
  attributes: {
    radius: { shape: { kind: "number", minimum: 0 }, default: 0.1, required: true },
    resolution: { shape: { kind: "number", minimum: 0 }, default: 256, cap: 2048, unit: "px", required: true },
    strength: { shape: { kind: "number", minimum: 0 }, default: 0.5, cap: 10, required: true },
    threshold: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 0, required: true },
  },
  prefixes: {
  },
};
