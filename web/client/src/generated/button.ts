// Generated from spec/objects/button.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** A button of a panel. */
export interface Button {
  /** Radius of its corners. In metres. Range: at least 0. */
  readonly borderRadius?: number;
  /** Height of the button. In metres. Range: at least 0. */
  readonly height?: number;
  /** Address of a picture that takes the place of the text. */
  readonly img?: string;
  /** Text on it, and its name in events. */
  readonly name?: string;
  /** Height of the text or picture. In metres. Range: at least 0. Default `0.3`. */
  readonly size?: number;
  /** Width of the button. In metres. Range: at least 0. */
  readonly width?: number;
}

/** The schema's description of each attribute of {@link Button}. */
export const buttonAttributes: Group = {
  attributes: {
    borderRadius: { shape: { kind: "number", minimum: 0 }, cap: 5, unit: "metres" },
    height: { shape: { kind: "number", minimum: 0 }, cap: 5, unit: "metres" },
    img: { shape: { kind: "text" }, format: "uri-reference" },
    name: { shape: { kind: "text" }, required: true },
    size: { shape: { kind: "number", minimum: 0 }, default: 0.3, cap: 5, unit: "metres" },
    width: { shape: { kind: "number", minimum: 0 }, cap: 5, unit: "metres" },
  },
  prefixes: {
  },
};
