// Generated from spec/objects/material-extras.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Further properties of a material. */
export interface MaterialExtras {
  /** Colour space of the picture. Default `"SRGBColorSpace"`. */
  readonly colorSpace?: "SRGBColorSpace" | "LinearSRGBColorSpace" | "DisplayP3ColorSpace" | "NoColorSpace";
  /** Whether colours are drawn. Default `true`. */
  readonly colorWrite?: boolean;
  /** Opacity of the model: 0 is invisible, 1 is opaque. Range: 0 to 1. Default `1`. */
  readonly gltfOpacity?: number;
  /** Address of a picture that replaces that of the model. Default `""`. */
  readonly overrideSrc?: string;
  /** Place in the order of drawing; lower is earlier. Default `1`. */
  readonly renderOrder?: number;
  /** Whether it hides objects behind it while invisible itself. Default `false`. */
  readonly transparentOccluder?: boolean;
}

/** The schema's description of each attribute of {@link MaterialExtras}. */
export const materialExtrasAttributes: Group = {
  attributes: {
    colorSpace: { shape: { kind: "text", values: ["SRGBColorSpace", "LinearSRGBColorSpace", "DisplayP3ColorSpace", "NoColorSpace"] }, default: "SRGBColorSpace", required: true },
    colorWrite: { shape: { kind: "boolean" }, default: true },
    gltfOpacity: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 1, required: true },
    overrideSrc: { shape: { kind: "text" }, default: "", format: "uri-reference" },
    renderOrder: { shape: { kind: "number" }, default: 1 },
    transparentOccluder: { shape: { kind: "boolean" }, default: false },
  },
  prefixes: {
  },
};
