// Generated from spec/objects/click-listener.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-decoder.ts";

/** Clicks. */
export interface ClickListener {
  /** On. Default `true`. */
  readonly enabled?: boolean;
}

/** What the schema says of each attribute of {@link ClickListener}. */
export const clickListenerAttributes: Group = {
  attributes: {
    enabled: { shape: { kind: "boolean" }, default: true },
  },
  prefixes: {
  },
};
