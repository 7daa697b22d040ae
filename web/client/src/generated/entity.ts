// Generated from spec/objects/entity.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";
import { type Panel, panelAttributes } from "./panel.ts";

/** An object without a shape of its own: a parent, or the effect of its components. */
export interface Entity extends AnyObject {
  readonly object_type: "entity";
  /** A flat box for user interfaces. */
  readonly panel?: Panel;
}

/** The schema's description of each attribute of {@link Entity}. */
export const entityAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    panel: { shape: { kind: "group", group: panelAttributes } },
  },
  prefixes: {
  },
};
