/** Maps ARENA's 3D panels (cards, prompts, rows of buttons) to the settings of `stoa-panel`. */
import { groups, objectTypes } from "@stoa/client/generated";
import { BUTTONS_MAX, PANEL_TITLE_LENGTH_MAX } from "../limits.ts";
import { bag, type JsonObject, text } from "../values.ts";
import { type AttributeValueParsers, defaultsOf, read, readersOf } from "./attribute-readers.ts";

/** One button. */
export interface ButtonSettings {
  readonly name: string;
  /** A picture that replaces the text. */
  readonly img?: string;
  readonly size?: number;
  readonly width?: number;
  readonly height?: number;
  readonly borderRadius?: number;
}

interface Themed {
  readonly font: string;
  readonly theme: string;
  readonly themeOverride: unknown;
  readonly materialSides: string;
  readonly title: string;
}

/** A text with a picture. */
export interface CardSettings extends Themed {
  readonly kind: "card";
  readonly body: string;
  readonly bodyAlign: string;
  readonly img: string;
  readonly imgCaption: string;
  readonly imgDirection: string;
  readonly imgSize: string;
  readonly textImageRatio: number;
  readonly fontSize: number;
  readonly widthScale: number;
  readonly closeButton: boolean;
}

/** A question with answers. */
export interface PromptSettings extends Themed {
  readonly kind: "prompt";
  readonly description: string;
  readonly buttons: readonly ButtonSettings[];
  readonly width: number;
}

/** Buttons in a row or column. */
export interface ButtonPanelSettings extends Themed {
  readonly kind: "buttons";
  readonly buttons: readonly ButtonSettings[];
  readonly vertical: boolean;
}

/** Rows of keys, with widths in units of a letter key. Only for the user's own panels. */
export interface KeysSettings extends Themed {
  readonly kind: "keys";
  readonly rows: readonly (readonly { readonly name: string; readonly width: number }[])[];
}

/** Lines of text above an input field. Only for the user's own panels. */
export interface TextEntrySettings extends Themed {
  readonly kind: "page";
  readonly lines: readonly string[];
  readonly written: string;
}

/** The panels of a scene's objects. */
export type PanelSettings = CardSettings | PromptSettings | ButtonPanelSettings;

/** The panels of `stoa-panel`. */
export type AnyPanelSettings = PanelSettings | KeysSettings | TextEntrySettings;

const kinds = { "arenaui-card": "card", "arenaui-prompt": "prompt", "arenaui-button-panel": "buttons" } as const;
type PanelType = keyof typeof kinds;

const buttonReaders = readersOf("button", groups.button);
const readers = new Map<string, AttributeValueParsers>(
  Object.keys(kinds)
    .filter(isPanel)
    .map((type) => [type, readersOfPanel(type)]),
);

function isPanel(type: unknown): type is PanelType {
  return typeof type === "string" && Object.hasOwn(kinds, type);
}

/** The settings of `stoa-panel`. */
export function panelSettings(type: PanelType, attributes: JsonObject, base: string): JsonObject {
  const own = read(readers.get(type) ?? {}, attributes, base);
  const defaults = defaultsOf(objectTypes[type], Object.keys(readers.get(type) ?? {}));
  const buttons = "buttons" in defaults ? { buttons: buttonList(own.buttons ?? defaults.buttons, base) } : {};
  return { panel: { kind: kinds[type], ...defaults, ...own, ...buttons } };
}

function readersOfPanel(type: PanelType): AttributeValueParsers {
  return readersOf(type, objectTypes[type], {
    buttons: (value) => (Array.isArray(value) ? value : undefined),
    themeOverride: (value) => (Array.isArray(value) || bag(value) ? value : undefined),
    title: (value) => text(value, PANEL_TITLE_LENGTH_MAX),
    imgCaption: (value) => text(value, PANEL_TITLE_LENGTH_MAX),
  });
}

/** A button is a name, or settings that include one. */
function buttonList(value: unknown, base: string): readonly JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, BUTTONS_MAX).flatMap((one: unknown) => {
    const settings: JsonObject = bag(one) ? read(buttonReaders, bag(one) ?? {}, base) : { name: text(one) };
    const name = text(settings.name, PANEL_TITLE_LENGTH_MAX);
    return name === undefined ? [] : [{ ...settings, name }];
  });
}
