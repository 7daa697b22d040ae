// Generated from spec/objects/gltf-morph.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Weight of a morph target of a glTF model. */
export interface GltfMorph {
  /** Name of the morph target. Default `""`. */
  readonly morphtarget?: string;
  /** Weight; arena-py writes the number as text. Default `0`. */
  readonly value?: number | string;
}

/** The schema's description of each attribute of {@link GltfMorph}. */
export const gltfMorphAttributes: Group = {
  attributes: {
    morphtarget: { shape: { kind: "text" }, default: "", required: true },
    value: { shape: { kind: "choice", shapes: [{ kind: "number" }, { kind: "text" }] }, default: 0, required: true },
  },
  prefixes: {
  },
};
