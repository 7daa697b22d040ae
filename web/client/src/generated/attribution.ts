// Generated from spec/objects/attribution.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-decoder.ts";

/** Who made it and under which licence it is used. */
export interface Attribution {
  /** Who made it. */
  readonly author?: string;
  /** Where more is said of who made it. */
  readonly authorURL?: string;
  /** Name of its licence. */
  readonly license?: string;
  /** Where that licence is. */
  readonly licenseURL?: string;
  /** Whether it is shown. Default `true`. */
  readonly publish?: boolean;
  /** Where it comes from. */
  readonly source?: string;
  /** Address of where it comes from. */
  readonly sourceURL?: string;
  /** Its name. */
  readonly title?: string;
}

/** What the schema says of each attribute of {@link Attribution}. */
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
