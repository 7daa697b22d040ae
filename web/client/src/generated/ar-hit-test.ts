// Generated from spec/objects/ar-hit-test.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A reticle that shows where a ray meets the real world. */
export interface ArHitTest {
  /** Whether a reticle shows where a ray meets the real world. Default `true`. */
  readonly enabled?: boolean;
  /** Thickness of the footprint. In metres. Range: at least 0. Default `0.1`. */
  readonly footprintDepth?: number;
  /** Width and height of the picture, apart by a blank. Default `"0.5 0.5"`. */
  readonly mapSize?: string;
  /** Address of the picture of the reticle. Default `"static/images/reticle-gray.png"`. */
  readonly src?: string;
  /** Whether the reticle is the object's footprint or a picture. Default `"footprint"`. */
  readonly type?: "footprint" | "map";
}

/** The schema's description of each attribute of {@link ArHitTest}. */
export const arHitTestAttributes: Group = {
  attributes: {
    enabled: { shape: { kind: "boolean" }, default: true, required: true },
    footprintDepth: { shape: { kind: "number", minimum: 0 }, default: 0.1, unit: "metres" },
    mapSize: { shape: { kind: "text" }, default: "0.5 0.5" },
    src: { shape: { kind: "text" }, default: "static/images/reticle-gray.png", format: "uri-reference", required: true },
    type: { shape: { kind: "text", values: ["footprint", "map"] }, default: "footprint" },
  },
  prefixes: {
  },
};
