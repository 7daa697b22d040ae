// Generated from spec/objects/pixel.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** An effect that draws the picture in coarse pixels. */
export interface Pixel {
  /** Strength of the outlines where depth changes. Default `0.4`. */
  readonly depthEdgeStrength?: number;
  /** Strength of the outlines where the direction of the surface changes. Default `0.3`. */
  readonly normalEdgeStrength?: number;
  /** Size of the coarse pixels. In px. Range: at least 1. Default `6`. */
  readonly pixelSize?: number;
}

/** The schema's description of each attribute of {@link Pixel}. */
export const pixelAttributes: Group = {
  attributes: {
    depthEdgeStrength: { shape: { kind: "number" }, default: 0.4, required: true },
    normalEdgeStrength: { shape: { kind: "number" }, default: 0.3, required: true },
    pixelSize: { shape: { kind: "number", minimum: 1 }, default: 6, cap: 64, unit: "px", required: true },
  },
  prefixes: {
  },
};
