// Generated from spec/objects/ssao.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Shadows in corners. */
export interface Ssao {
  /** Radius around a point that is sampled. Range: at least 0. Default `8`. */
  readonly kernelRadius?: number;
  /** Greatest difference of depth that makes a shadow. Range: at least 0. Default `0.1`. */
  readonly maxDistance?: number;
  /** Least difference of depth that makes a shadow. Default `0.005`. */
  readonly minDistance?: number;
  /** Resolution at which the effect is computed. In px. Range: at least 0. Default `512`. */
  readonly resolution?: number;
}

/** The schema's description of each attribute of {@link Ssao}. */
export const ssaoAttributes: Group = {
  attributes: {
    kernelRadius: { shape: { kind: "number", minimum: 0 }, default: 8, cap: 64, required: true },
    maxDistance: { shape: { kind: "number", minimum: 0 }, default: 0.1, required: true },
    minDistance: { shape: { kind: "number" }, default: 0.005, required: true },
    resolution: { shape: { kind: "number", minimum: 0 }, default: 512, unit: "px", required: true },
  },
  prefixes: {
  },
};
