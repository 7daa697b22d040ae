// Generated from spec/objects/material.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-decoder.ts";

/** Looks. */
export interface Material {
  /** Colour. */
  readonly color?: string;
  /** How solid. Range: 0 to 1. Default `1`. */
  readonly opacity?: number;
  /** Sides. */
  readonly side?: "front" | "back";
}

/** What the schema says of each attribute of {@link Material}. */
export const materialAttributes: Group = {
  attributes: {
    color: { shape: { kind: "text" }, format: "color" },
    opacity: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 1 },
    side: { shape: { kind: "text", values: ["front", "back"] } },
  },
  prefixes: {
  },
};
