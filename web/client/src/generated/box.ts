// Generated from spec/objects/box.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-decoder.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A box. */
export interface Box extends AnyObject {
  readonly object_type: "box";
  /** Size along x. In metres. Range: at least 0. Default `1`. */
  readonly width?: number;
}

/** What the schema says of each attribute of {@link Box}. */
export const boxAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    width: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "metres", required: true },
  },
  prefixes: {
  },
};
