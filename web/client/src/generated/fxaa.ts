// Generated from spec/objects/fxaa.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Fast smoothing of edges. */
export interface Fxaa {
  /** Has no options yet. Default `" "`. */
  readonly options?: string;
}

/** The schema's description of each attribute of {@link Fxaa}. */
export const fxaaAttributes: Group = {
  attributes: {
    options: { shape: { kind: "text" }, default: " ", required: true },
  },
  prefixes: {
  },
};
