// Generated from spec/objects/multisrc.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Several pictures, one for each face. */
export interface MultiSrc {
  /** Names of the files, apart by commas. */
  readonly srcs?: string;
  /** Address of the folder of the files. */
  readonly srcspath?: string;
}

/** The schema's description of each attribute of {@link MultiSrc}. */
export const multisrcAttributes: Group = {
  attributes: {
    srcs: { shape: { kind: "text" }, required: true },
    srcspath: { shape: { kind: "text" }, format: "uri-reference", required: true },
  },
  prefixes: {
  },
};
