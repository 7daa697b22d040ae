// Generated from spec/objects/shadow.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Shadows of the object and on it. */
export interface Shadow {
  /** Whether it throws a shadow. Default `false`. */
  readonly cast?: boolean;
  /** Whether shadows fall on it. Default `false`. */
  readonly receive?: boolean;
}

/** The schema's description of each attribute of {@link Shadow}. */
export const shadowAttributes: Group = {
  attributes: {
    cast: { shape: { kind: "boolean" }, default: false, required: true },
    receive: { shape: { kind: "boolean" }, default: false, required: true },
  },
  prefixes: {
  },
};
