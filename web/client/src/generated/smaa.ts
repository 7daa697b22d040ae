// Generated from spec/objects/smaa.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Smoothing of edges. */
export interface Smaa {
  /** Has no options yet. Default `" "`. */
  readonly options?: string;
}

/** The schema's description of each attribute of {@link Smaa}. */
export const smaaAttributes: Group = {
  attributes: {
    options: { shape: { kind: "text" }, default: " ", required: true },
  },
  prefixes: {
  },
};
