// Generated from spec/objects/arenaui-button-panel.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";
import { type Button, buttonAttributes } from "./button.ts";

/** A panel of buttons; a click on one is the event `buttonClick`. */
export interface ArenaUiButtonPanel extends AnyObject {
  readonly object_type: "arenaui-button-panel";
  /** The buttons, in order. Default `[{"name":"Confirm"},{"name":"Cancel"}]`. */
  readonly buttons?: readonly (Button | string)[];
  /** Name of the font. Default `"Roboto"`. */
  readonly font?: "Roboto" | "Roboto-Mono";
  /** From which sides it is seen. Default `"both"`. */
  readonly materialSides?: "both" | "front";
  /** Colour theme. Default `"light"`. */
  readonly theme?: "light" | "dark";
  /** Colours that replace those of the theme. Default `[]`. */
  readonly themeOverride?: readonly (unknown)[] | Readonly<Record<string, unknown>>;
  /** Heading. Default `""`. */
  readonly title?: string;
  /** Whether the buttons are arranged vertically. Default `false`. */
  readonly vertical?: boolean;
}

/** The schema's description of each attribute of {@link ArenaUiButtonPanel}. */
export const arenauiButtonPanelAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    buttons: { shape: { kind: "array", items: { kind: "choice", shapes: [{ kind: "group", group: buttonAttributes }, { kind: "text" }] } }, default: [{ name: "Confirm" }, { name: "Cancel" }], required: true },
    font: { shape: { kind: "text", values: ["Roboto", "Roboto-Mono"] }, default: "Roboto" },
    materialSides: { shape: { kind: "text", values: ["both", "front"] }, default: "both" },
    theme: { shape: { kind: "text", values: ["light", "dark"] }, default: "light" },
    themeOverride: { shape: { kind: "choice", shapes: [{ kind: "array", items: { kind: "any" } }, { kind: "object" }] }, default: [] },
    title: { shape: { kind: "text" }, default: "", required: true },
    vertical: { shape: { kind: "boolean" }, default: false, required: true },
  },
  prefixes: {
  },
};
