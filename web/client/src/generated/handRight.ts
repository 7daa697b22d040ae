// Generated from spec/objects/handRight.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A person's right hand or controller. */
export interface HandRight extends AnyObject {
  readonly object_type: "handRight";
  /** Id of the person that the hand belongs to. Default `""`. */
  readonly dep?: string;
}

/** The schema's description of each attribute of {@link HandRight}. */
export const handRightAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    dep: { shape: { kind: "text" }, default: "", required: true },
  },
  prefixes: {
  },
};
