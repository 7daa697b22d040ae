// Generated from spec/objects/text.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A line or block of text. */
export interface Text extends AnyObject {
  readonly object_type: "text";
  /** To which side each line of text is flush. Default `"left"`. */
  readonly align?: "left" | "center" | "right";
  /** Glyph pixels that are less opaque than this are not drawn. Range: 0 to 1. Default `0.5`. */
  readonly alphaTest?: number;
  /** The part of the text at the object's position, left to right. Default `"center"`. */
  readonly anchor?: "left" | "right" | "center" | "align";
  /** The part of the text at the object's position, top to bottom. Default `"center"`. */
  readonly baseline?: "top" | "center" | "bottom";
  /** Colour of the glyphs. Default `"#FFF"`. */
  readonly color?: string;
  /** Name of the font. Default `"roboto"`. */
  readonly font?: "aileronsemibold" | "dejavu" | "exo2bold" | "exo2semibold" | "kelsonsans" | "monoid" | "mozillavr" | "roboto" | "sourcecodepro";
  /** Height of the block of text; the text's own where absent. In metres. Range: at least 0. */
  readonly height?: number;
  /** Additional space between letters, in units of the font. Default `0`. */
  readonly letterSpacing?: number;
  /** Height of a line, in units of the font; the font's own where absent. Range: at least 0. */
  readonly lineHeight?: number;
  /** Opacity of the glyphs: 0 is invisible, 1 is opaque. Range: 0 to 1. Default `1`. */
  readonly opacity?: number;
  /** Shader of the glyphs. Default `"sdf"`. */
  readonly shader?: "portal" | "flat" | "standard" | "sdf" | "msdf" | "ios10hls" | "skyshader" | "gradientshader";
  /** From which sides the text is seen. Default `"double"`. */
  readonly side?: "front" | "back" | "double";
  /** Width of a tab in spaces. Range: at least 0. Default `4`. */
  readonly tabSize?: number;
  /** The text; write `value` instead. @deprecated */
  readonly text?: string;
  /** Whether the glyphs are transparent. Default `true`. */
  readonly transparent?: boolean;
  /** The text that is shown. Default `"Default Text"`. */
  readonly value?: string;
  /** Treatment of spaces and line ends, as in CSS. Default `"normal"`. */
  readonly whiteSpace?: "normal" | "pre" | "nowrap";
  /** Width in which the text is wrapped. In metres. Range: at least 0. Default `5`. */
  readonly width?: number;
  /** About how many letters fit into a line. Range: at least 1. Default `40`. */
  readonly wrapCount?: number;
  /** Width of a line in pixels of the font; takes the place of `wrapCount`. In px. Range: at least 1. */
  readonly wrapPixels?: number;
  /** Offset of the text to the right. In metres. Default `0`. */
  readonly xOffset?: number;
  /** Offset of the text towards the viewer, against flicker. In metres. Default `0.001`. */
  readonly zOffset?: number;
}

/** The schema's description of each attribute of {@link Text}. */
export const textAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    align: { shape: { kind: "text", values: ["left", "center", "right"] }, default: "left" },
    alphaTest: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 0.5 },
    anchor: { shape: { kind: "text", values: ["left", "right", "center", "align"] }, default: "center" },
    baseline: { shape: { kind: "text", values: ["top", "center", "bottom"] }, default: "center" },
    color: { shape: { kind: "text" }, default: "#FFF", format: "color" },
    font: { shape: { kind: "text", values: ["aileronsemibold", "dejavu", "exo2bold", "exo2semibold", "kelsonsans", "monoid", "mozillavr", "roboto", "sourcecodepro"] }, default: "roboto", required: true },
    height: { shape: { kind: "number", minimum: 0 }, unit: "metres" },
    letterSpacing: { shape: { kind: "number" }, default: 0 },
    lineHeight: { shape: { kind: "number", minimum: 0 } },
    opacity: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 1 },
    shader: { shape: { kind: "text", values: ["portal", "flat", "standard", "sdf", "msdf", "ios10hls", "skyshader", "gradientshader"] }, default: "sdf" },
    side: { shape: { kind: "text", values: ["front", "back", "double"] }, default: "double", required: true },
    tabSize: { shape: { kind: "number", minimum: 0 }, default: 4 },
    text: { shape: { kind: "text" }, deprecated: true },
    transparent: { shape: { kind: "boolean" }, default: true },
    value: { shape: { kind: "text" }, default: "Default Text", required: true },
    whiteSpace: { shape: { kind: "text", values: ["normal", "pre", "nowrap"] }, default: "normal" },
    width: { shape: { kind: "number", minimum: 0 }, default: 5, unit: "metres" },
    wrapCount: { shape: { kind: "number", minimum: 1 }, default: 40 },
    wrapPixels: { shape: { kind: "number", minimum: 1 }, unit: "px" },
    xOffset: { shape: { kind: "number" }, default: 0, unit: "metres" },
    zOffset: { shape: { kind: "number" }, default: 0.001, unit: "metres" },
  },
  prefixes: {
  },
};
