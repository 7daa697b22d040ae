// Generated from spec/objects/arenaui-prompt.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A window that asks something. */
export interface ArenaUiPrompt extends AnyObject {
  readonly object_type: "arenaui-prompt";
  /** Texts of the buttons, in order. Default `["Confirm","Cancel"]`. */
  readonly buttons?: readonly (string)[];
  /** The question. Default `"This is a prompt. Please confirm or cancel."`. */
  readonly description?: string;
  /** Name of the font. Default `"Roboto"`. */
  readonly font?: "Roboto" | "Roboto-Mono";
  /** From which sides it is seen. Default `"both"`. */
  readonly materialSides?: "both" | "front";
  /** Colour theme. Default `"light"`. */
  readonly theme?: "light" | "dark";
  /** Colours that replace those of the theme. Default `[]`. */
  readonly themeOverride?: readonly (unknown)[] | Readonly<Record<string, unknown>>;
  /** Heading. Default `"Prompt"`. */
  readonly title?: string;
  /** Width of the window. In metres. Range: at least 0. Default `1.5`. */
  readonly width?: number;
}

/** The schema's description of each attribute of {@link ArenaUiPrompt}. */
export const arenauiPromptAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    buttons: { shape: { kind: "array", items: { kind: "text" } }, default: ["Confirm", "Cancel"], required: true },
    description: { shape: { kind: "text" }, default: "This is a prompt. Please confirm or cancel." },
    font: { shape: { kind: "text", values: ["Roboto", "Roboto-Mono"] }, default: "Roboto" },
    materialSides: { shape: { kind: "text", values: ["both", "front"] }, default: "both" },
    theme: { shape: { kind: "text", values: ["light", "dark"] }, default: "light" },
    themeOverride: { shape: { kind: "choice", shapes: [{ kind: "array", items: { kind: "any" } }, { kind: "object" }] }, default: [] },
    title: { shape: { kind: "text" }, default: "Prompt", required: true },
    width: { shape: { kind: "number", minimum: 0 }, default: 1.5, cap: 20, unit: "metres", required: true },
  },
  prefixes: {
  },
};
