// Generated from spec/objects/impulse.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A push, by the former physics engine. @deprecated */
export interface Impulse {
}

/** The schema's description of each attribute of {@link Impulse}. */
export const impulseAttributes: Group = {
  attributes: {
  },
  prefixes: {
  },
};
