// Generated from spec/objects/handLeft.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A person's left hand or controller. */
export interface HandLeft extends AnyObject {
  readonly object_type: "handLeft";
  /** Id of the person that the hand belongs to. Default `""`. */
  readonly dep?: string;
}

/** The schema's description of each attribute of {@link HandLeft}. */
export const handLeftAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    dep: { shape: { kind: "text" }, default: "", required: true },
  },
  prefixes: {
  },
};
