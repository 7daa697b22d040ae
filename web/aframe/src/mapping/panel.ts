/** ARENA's panels in 3D: cards, prompts, rows of buttons. */
import { groups, objectTypes } from "@stoa/client/generated";
import { BUTTONS_MAX, PANEL_TITLE_LENGTH_MAX } from "../limits.ts";
import { type Bag, bag, text } from "../values.ts";
import { defaultsOf, type Readers, read, readersOf } from "./attribute-readers.ts";

/** One button. */
export interface ButtonSettings {
  readonly name: string;
  /** A picture in place of the text. */
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

/** Buttons beside or below each other. */
export interface ButtonPanelSettings extends Themed {
  readonly kind: "buttons";
  readonly buttons: readonly ButtonSettings[];
  readonly vertical: boolean;
}

/** Keys in rows, each so many letters' keys wide: for panels of one's own alone. */
export interface KeysSettings extends Themed {
  readonly kind: "keys";
  readonly rows: readonly (readonly { readonly name: string; readonly width: number }[])[];
}

/** What was said, and below it what is being written: for panels of one's own alone. */
export interface PageSettings extends Themed {
  readonly kind: "page";
  readonly lines: readonly string[];
  readonly written: string;
}

/** The scene's panels. */
export type PanelSettings = CardSettings | PromptSettings | ButtonPanelSettings;

/** What `stoa-panel` shows. */
export type ShownPanel = PanelSettings | KeysSettings | PageSettings;

const kinds = { "arenaui-card": "card", "arenaui-prompt": "prompt", "arenaui-button-panel": "buttons" } as const;
type PanelType = keyof typeof kinds;

const buttonReaders = readersOf("button", groups.button);
const readers = new Map<string, Readers>(
  Object.keys(kinds)
    .filter(isPanel)
    .map((type) => [type, readersOfPanel(type)]),
);

function isPanel(type: unknown): type is PanelType {
  return typeof type === "string" && Object.hasOwn(kinds, type);
}

/** The settings of `stoa-panel`. */
export function panelSettings(type: PanelType, attributes: Bag, base: string): Bag {
  const own = read(readers.get(type) ?? {}, attributes, base);
  const defaults = defaultsOf(objectTypes[type], Object.keys(readers.get(type) ?? {}));
  const buttons = "buttons" in defaults ? { buttons: buttonList(own.buttons ?? defaults.buttons, base) } : {};
  return { panel: { kind: kinds[type], ...defaults, ...own, ...buttons } };
}

function readersOfPanel(type: PanelType): Readers {
  return readersOf(type, objectTypes[type], {
    buttons: (value) => (Array.isArray(value) ? value : undefined),
    themeOverride: (value) => (Array.isArray(value) || bag(value) ? value : undefined),
    title: (value) => text(value, PANEL_TITLE_LENGTH_MAX),
    imgCaption: (value) => text(value, PANEL_TITLE_LENGTH_MAX),
  });
}

/** A button is its name, or settings with one. */
function buttonList(value: unknown, base: string): readonly Bag[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, BUTTONS_MAX).flatMap((one: unknown) => {
    const settings: Bag = bag(one) ? read(buttonReaders, bag(one) ?? {}, base) : { name: text(one) };
    const name = text(settings.name, PANEL_TITLE_LENGTH_MAX);
    return name === undefined ? [] : [{ ...settings, name }];
  });
}
