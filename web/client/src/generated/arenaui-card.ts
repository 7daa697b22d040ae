// Generated from spec/objects/arenaui-card.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A panel with text and a picture. */
export interface ArenaUiCard extends AnyObject {
  readonly object_type: "arenaui-card";
  /** Main text. Default `""`. */
  readonly body?: string;
  /** To which side the text is flush. Default `"left"`. */
  readonly bodyAlign?: "left" | "center" | "right" | "justify";
  /** Whether there is a button that closes it. Default `false`. */
  readonly closeButton?: boolean;
  /** Name of the font. Default `"Roboto"`. */
  readonly font?: "Roboto" | "Roboto-Mono";
  /** Height of the text. In metres. Range: at least 0. Default `0.035`. */
  readonly fontSize?: number;
  /** Address of a picture. Default `""`. */
  readonly img?: string;
  /** Line below the picture. Default `""`. */
  readonly imgCaption?: string;
  /** On which side the picture is. Default `"right"`. */
  readonly imgDirection?: "left" | "right";
  /** Fit of the picture in its space. Default `"cover"`. */
  readonly imgSize?: "cover" | "contain" | "stretch";
  /** From which sides it is seen. Default `"both"`. */
  readonly materialSides?: "both" | "front";
  /** Share of the width that the text takes. Range: 0 to 1. Default `0.5`. */
  readonly textImageRatio?: number;
  /** Colour theme. Default `"light"`. */
  readonly theme?: "light" | "dark";
  /** Colours that replace those of the theme. Default `[]`. */
  readonly themeOverride?: readonly (unknown)[] | Readonly<Record<string, unknown>>;
  /** Heading. Default `""`. */
  readonly title?: string;
  /** Factor of the width. Range: at least 0. Default `1`. */
  readonly widthScale?: number;
}

/** The schema's description of each attribute of {@link ArenaUiCard}. */
export const arenauiCardAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    body: { shape: { kind: "text" }, default: "", required: true },
    bodyAlign: { shape: { kind: "text", values: ["left", "center", "right", "justify"] }, default: "left" },
    closeButton: { shape: { kind: "boolean" }, default: false },
    font: { shape: { kind: "text", values: ["Roboto", "Roboto-Mono"] }, default: "Roboto" },
    fontSize: { shape: { kind: "number", minimum: 0 }, default: 0.035, cap: 2, unit: "metres" },
    img: { shape: { kind: "text" }, default: "", format: "uri-reference" },
    imgCaption: { shape: { kind: "text" }, default: "" },
    imgDirection: { shape: { kind: "text", values: ["left", "right"] }, default: "right" },
    imgSize: { shape: { kind: "text", values: ["cover", "contain", "stretch"] }, default: "cover" },
    materialSides: { shape: { kind: "text", values: ["both", "front"] }, default: "both" },
    textImageRatio: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 0.5 },
    theme: { shape: { kind: "text", values: ["light", "dark"] }, default: "light" },
    themeOverride: { shape: { kind: "choice", shapes: [{ kind: "array", items: { kind: "any" } }, { kind: "object" }] }, default: [] },
    title: { shape: { kind: "text" }, default: "", required: true },
    widthScale: { shape: { kind: "number", minimum: 0 }, default: 1, cap: 20 },
  },
  prefixes: {
  },
};
