// Generated from spec/objects/box-collision-listener.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Reports when a person's head or hand enters the object's box. */
export interface BoxCollisionListener {
  /** Whether its box is measured again while it moves. Default `false`. */
  readonly dynamic?: boolean;
  /** Whether it listens. Default `true`. */
  readonly enabled?: boolean;
}

/** The schema's description of each attribute of {@link BoxCollisionListener}. */
export const boxCollisionListenerAttributes: Group = {
  attributes: {
    dynamic: { shape: { kind: "boolean" }, default: false, required: true },
    enabled: { shape: { kind: "boolean" }, default: true },
  },
  prefixes: {
  },
};
