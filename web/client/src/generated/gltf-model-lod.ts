// Generated from spec/objects/gltf-model-lod.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A more detailed model for near by. */
export interface GltfModelLod {
  /** Within which distance the detailed model is shown. In metres. Range: at least 0. Default `10`. */
  readonly detailedDistance?: number;
  /** Address of the detailed model. Default `""`. */
  readonly detailedUrl?: string;
  /** Whether the detailed model stays in memory. Default `false`. */
  readonly retainCache?: boolean;
  /** Time between two looks at the distance. In ms. Range: at least 0. Default `333`. */
  readonly updateRate?: number;
}

/** The schema's description of each attribute of {@link GltfModelLod}. */
export const gltfModelLodAttributes: Group = {
  attributes: {
    detailedDistance: { shape: { kind: "number", minimum: 0 }, default: 10, unit: "metres", required: true },
    detailedUrl: { shape: { kind: "text" }, default: "", format: "uri-reference", required: true },
    retainCache: { shape: { kind: "boolean" }, default: false, required: true },
    updateRate: { shape: { kind: "number", minimum: 0 }, default: 333, unit: "ms", required: true },
  },
  prefixes: {
  },
};
