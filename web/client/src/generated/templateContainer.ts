// Generated from spec/objects/templateContainer.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** The parent of the objects that a template was copied to. */
export interface TemplateContainer extends AnyObject {
  readonly object_type: "templateContainer";
}

/** The schema's description of each attribute of {@link TemplateContainer}. */
export const templateContainerAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
  },
  prefixes: {
  },
};
