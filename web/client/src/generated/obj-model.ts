// Generated from spec/objects/obj-model.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A model in Wavefront's OBJ format. */
export interface ObjModel extends AnyObject {
  readonly object_type: "obj-model";
  /** Address of the MTL file with its materials. */
  readonly mtl?: string;
  /** Address of the OBJ file. */
  readonly obj?: string;
}

/** The schema's description of each attribute of {@link ObjModel}. */
export const objModelAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    mtl: { shape: { kind: "text" }, format: "uri-reference" },
    obj: { shape: { kind: "text" }, format: "uri-reference", required: true },
  },
  prefixes: {
  },
};
