// Generated from spec/objects/look-at.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";
import { type Vector3, vector3Attributes } from "./vector3.ts";

/** A command to a person's camera: look at something. */
export interface LookAt extends AnyObject {
  readonly object_type: "look-at";
  /** Id of the object, or the place, to look at. */
  readonly target?: string | Vector3;
}

/** The schema's description of each attribute of {@link LookAt}. */
export const lookAtAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    target: { shape: { kind: "choice", shapes: [{ kind: "text" }, { kind: "group", group: vector3Attributes }] }, required: true, reference: true },
  },
  prefixes: {
  },
};
