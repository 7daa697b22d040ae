// Generated from spec/objects/gltf-model.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A glTF model; `url` names it. */
export interface GltfModel extends AnyObject {
  readonly object_type: "gltf-model";
  /** Colour of the surface; write `material.color` instead. @deprecated */
  readonly color?: string;
}

/** The schema's description of each attribute of {@link GltfModel}. */
export const gltfModelAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    color: { shape: { kind: "text" }, format: "color", deprecated: true },
  },
  prefixes: {
  },
};
