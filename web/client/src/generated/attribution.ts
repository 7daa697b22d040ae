// Generated from spec/objects/attribution.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Author and licence of a model. */
export interface Attribution {
  /** Author of the model. */
  readonly author?: string;
  /** Address of a page about the author. */
  readonly authorURL?: string;
  /** Name of the model's licence. */
  readonly license?: string;
  /** Address of the licence's text. */
  readonly licenseURL?: string;
  /** Whether clients show the attribution. Default `true`. */
  readonly publish?: boolean;
  /** Source of the model. */
  readonly source?: string;
  /** Address of the source. */
  readonly sourceURL?: string;
  /** Title of the model. */
  readonly title?: string;
}

/** The schema's description of each attribute of {@link Attribution}. */
export const attributionAttributes: Group = {
  attributes: {
    author: { shape: { kind: "text" } },
    authorURL: { shape: { kind: "text" }, format: "uri-reference" },
    license: { shape: { kind: "text" } },
    licenseURL: { shape: { kind: "text" }, format: "uri-reference" },
    publish: { shape: { kind: "boolean" }, default: true },
    source: { shape: { kind: "text" } },
    sourceURL: { shape: { kind: "text" }, format: "uri-reference" },
    title: { shape: { kind: "text" } },
  },
  prefixes: {
  },
};
