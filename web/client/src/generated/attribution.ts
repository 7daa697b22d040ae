// Generated from spec/objects/attribution.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Its author and the licence of its use. */
export interface Attribution {
  /** The author. */
  readonly author?: string;
  /** Address of a page about the author. */
  readonly authorURL?: string;
  /** Name of its licence. */
  readonly license?: string;
  /** Address of that licence. */
  readonly licenseURL?: string;
  /** Whether it is shown. Default `true`. */
  readonly publish?: boolean;
  /** The source. */
  readonly source?: string;
  /** Address of the source. */
  readonly sourceURL?: string;
  /** Its name. */
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
