// Generated from spec/objects/urdf-model.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A robot in the URDF format; `url` names it. */
export interface UrdfModel extends AnyObject {
  readonly object_type: "urdf-model";
  /** Positions of the joints, by name. */
  readonly joints?: string | Readonly<Record<string, unknown>>;
  /** Address that the file's relative addresses begin at. */
  readonly urlBase?: string;
}

/** The schema's description of each attribute of {@link UrdfModel}. */
export const urdfModelAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    joints: { shape: { kind: "choice", shapes: [{ kind: "text" }, { kind: "object" }] } },
    urlBase: { shape: { kind: "text" }, format: "uri-reference", required: true },
  },
  prefixes: {
  },
};
