// Generated from spec/objects/dynamic-body.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A moving body, by the former physics engine; write `physx-body` instead. @deprecated */
export interface DynamicBody {
}

/** The schema's description of each attribute of {@link DynamicBody}. */
export const dynamicBodyAttributes: Group = {
  attributes: {
  },
  prefixes: {
  },
};
