// Generated from spec/objects/static-body.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A body at rest, by the former physics engine; write `physx-body` instead. @deprecated */
export interface StaticBody {
}

/** The schema's description of each attribute of {@link StaticBody}. */
export const staticBodyAttributes: Group = {
  attributes: {
  },
  prefixes: {
  },
};
