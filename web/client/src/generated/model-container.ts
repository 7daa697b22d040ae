// Generated from spec/objects/model-container.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A box that the model is scaled to fit. */
export interface ModelContainer {
  /** Whether the model keeps its proportions. Default `true`. */
  readonly uniform?: boolean;
  /** Width of the box that the model is fitted into. In metres. Default `1`. */
  readonly x?: number;
  /** Height of the box that the model is fitted into. In metres. Default `1`. */
  readonly y?: number;
  /** Depth of the box that the model is fitted into. In metres. Default `1`. */
  readonly z?: number;
}

/** The schema's description of each attribute of {@link ModelContainer}. */
export const modelContainerAttributes: Group = {
  attributes: {
    uniform: { shape: { kind: "boolean" }, default: true, required: true },
    x: { shape: { kind: "number" }, default: 1, unit: "metres", required: true },
    y: { shape: { kind: "number" }, default: 1, unit: "metres", required: true },
    z: { shape: { kind: "number" }, default: 1, unit: "metres", required: true },
  },
  prefixes: {
  },
};
