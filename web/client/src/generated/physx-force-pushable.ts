// Generated from spec/objects/physx-force-pushable.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Lets people push the body by a click. */
export interface PhysxForcePushable {
  /** Strength of the push. Default `10`. */
  readonly force?: number;
  /** Event at which it happens. Default `"mousedown"`. */
  readonly on?: "mousedown" | "mouseup";
}

/** The schema's description of each attribute of {@link PhysxForcePushable}. */
export const physxForcePushableAttributes: Group = {
  attributes: {
    force: { shape: { kind: "number" }, default: 10, required: true },
    on: { shape: { kind: "text", values: ["mousedown", "mouseup"] }, default: "mousedown" },
  },
  prefixes: {
  },
};
