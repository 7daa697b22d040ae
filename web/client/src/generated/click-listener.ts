// Generated from spec/objects/click-listener.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Makes the object report clicks. */
export interface ClickListener {
  /** Whether a click also reaches the objects it belongs to. Default `true`. */
  readonly bubble?: boolean;
  /** Whether it listens. Default `true`. */
  readonly enabled?: boolean;
}

/** The schema's description of each attribute of {@link ClickListener}. */
export const clickListenerAttributes: Group = {
  attributes: {
    bubble: { shape: { kind: "boolean" }, default: true, required: true },
    enabled: { shape: { kind: "boolean" }, default: true, required: true },
  },
  prefixes: {
  },
};
