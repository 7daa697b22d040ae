// Generated from spec/objects/blip.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** An effect with which the object appears and disappears. */
export interface Blip {
  /** Whether its children take part. Default `false`. */
  readonly applyDescendants?: boolean;
  /** Whether it appears with the effect. Default `true`. */
  readonly blipin?: boolean;
  /** Whether it disappears with the effect. Default `true`. */
  readonly blipout?: boolean;
  /** Duration of the effect. In ms. Range: at least 0. Default `750`. */
  readonly duration?: number;
  /** Form of the planes. Default `"rect"`. */
  readonly geometry?: "rect" | "disk" | "ring";
  /** From which sides the planes come. Default `"both"`. */
  readonly planes?: "both" | "top" | "bottom";
}

/** The schema's description of each attribute of {@link Blip}. */
export const blipAttributes: Group = {
  attributes: {
    applyDescendants: { shape: { kind: "boolean" }, default: false },
    blipin: { shape: { kind: "boolean" }, default: true, required: true },
    blipout: { shape: { kind: "boolean" }, default: true, required: true },
    duration: { shape: { kind: "number", minimum: 0 }, default: 750, cap: 10000, unit: "ms", required: true },
    geometry: { shape: { kind: "text", values: ["rect", "disk", "ring"] }, default: "rect", required: true },
    planes: { shape: { kind: "text", values: ["both", "top", "bottom"] }, default: "both", required: true },
  },
  prefixes: {
  },
};
