// Generated from spec/objects/remote-render.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Whether a render server draws the object. */
export interface RemoteRender {
  /** Whether it is drawn by a render server. Default `true`. */
  readonly enabled?: boolean;
}

/** The schema's description of each attribute of {@link RemoteRender}. */
export const remoteRenderAttributes: Group = {
  attributes: {
    enabled: { shape: { kind: "boolean" }, default: true },
  },
  prefixes: {
  },
};
