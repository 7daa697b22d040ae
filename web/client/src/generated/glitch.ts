// Generated from spec/objects/glitch.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Disturbances of the picture. */
export interface Glitch {
  /** Size of the disturbance's texture. Range: at least 1. Default `64`. */
  readonly dtSize?: number;
}

/** The schema's description of each attribute of {@link Glitch}. */
export const glitchAttributes: Group = {
  attributes: {
    dtSize: { shape: { kind: "number", minimum: 1 }, default: 64, cap: 512, required: true },
  },
  prefixes: {
  },
};
