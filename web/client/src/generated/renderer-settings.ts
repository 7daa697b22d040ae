// Generated from spec/objects/renderer-settings.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Settings of the renderer. */
export interface RendererSettings {
  /** Whether materials may have clipping planes of their own. Default `false`. */
  readonly localClippingEnabled?: boolean;
  /** Colour space of the picture. Default `"SRGBColorSpace"`. */
  readonly outputColorSpace?: "SRGBColorSpace" | "LinearSRGBColorSpace" | "DisplayP3ColorSpace" | "NoColorSpace";
  /** Whether lights are in physical units. Default `false`. */
  readonly physicallyCorrectLights?: boolean;
  /** Whether objects are sorted before they are drawn. Default `true`. */
  readonly sortObjects?: boolean;
}

/** The schema's description of each attribute of {@link RendererSettings}. */
export const rendererSettingsAttributes: Group = {
  attributes: {
    localClippingEnabled: { shape: { kind: "boolean" }, default: false },
    outputColorSpace: { shape: { kind: "text", values: ["SRGBColorSpace", "LinearSRGBColorSpace", "DisplayP3ColorSpace", "NoColorSpace"] }, default: "SRGBColorSpace", required: true },
    physicallyCorrectLights: { shape: { kind: "boolean" }, default: false },
    sortObjects: { shape: { kind: "boolean" }, default: true },
  },
  prefixes: {
  },
};
