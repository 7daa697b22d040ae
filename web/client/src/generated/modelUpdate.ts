// Generated from spec/objects/modelUpdate.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Poses of parts of a glTF model, by the part's name. */
export interface ModelUpdate {
}

/** The schema's description of each attribute of {@link ModelUpdate}. */
export const modelUpdateAttributes: Group = {
  attributes: {
  },
  prefixes: {
  },
};
