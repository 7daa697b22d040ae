// Generated from spec/objects/head-model.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A head that people may choose. */
export interface HeadModel {
  /** Name that people choose by. */
  readonly name?: string;
  /** Address of the head's glTF file. */
  readonly url?: string;
}

/** The schema's description of each attribute of {@link HeadModel}. */
export const headModelAttributes: Group = {
  attributes: {
    name: { shape: { kind: "text" }, required: true },
    url: { shape: { kind: "text" }, format: "uri-reference", required: true },
  },
  prefixes: {
  },
};
