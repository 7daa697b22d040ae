// Generated from spec/objects/jitsi-video.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Shows a person's video on the object. */
export interface JitsiVideo {
  /** Name of the person whose video is shown. */
  readonly displayName?: string;
  /** Id of a connection to Jitsi. */
  readonly jitsiId?: string;
}

/** The schema's description of each attribute of {@link JitsiVideo}. */
export const jitsiVideoAttributes: Group = {
  attributes: {
    displayName: { shape: { kind: "text" }, required: true },
    jitsiId: { shape: { kind: "text" } },
  },
  prefixes: {
  },
};
