/** Describes a scene's objects as text: name, type, content and actions. Pure functions. */
import {
  bag,
  componentSettings,
  finite,
  flag,
  type PanelSettings,
  panelSettings,
  text,
  xyz,
} from "@stoa/aframe/meaning";
import type { SceneObject, Vector3 } from "@stoa/client";
import { nameByUse } from "../scene/object-names.ts";
import { type ColorName, colorWord } from "./color-words.ts";

/** An action on an object. */
export type AvailableObjectAction =
  | { readonly kind: "press" }
  | { readonly kind: "button"; readonly name: string; readonly index: number | null }
  | { readonly kind: "open"; readonly url: string; readonly newTab: boolean }
  | { readonly kind: "travel"; readonly landmark: string; readonly press: boolean }
  | { readonly kind: "portal"; readonly scene: string; readonly landmark: string }
  | { readonly kind: "ask"; readonly question: TextPrompt }
  | { readonly kind: "sit"; readonly offset: Vector3; readonly facingRad: number };

/** A text that an object asks for. */
export interface TextPrompt {
  readonly title: string;
  readonly label: string;
  readonly placeholder: string;
  readonly inputType: string;
  readonly inputValue: string;
  readonly inputOptions: readonly string[];
}

/** An object of the text view. */
export interface TextViewObject {
  readonly id: string;
  readonly name: string;
  /** ARENA's `object_type`. */
  readonly type: string;
  readonly color: ColorName | undefined;
  /** Text on the object. */
  readonly says: readonly string[];
  readonly actions: readonly AvailableObjectAction[];
  /** The landmark's name, if the object is one. */
  readonly landmark: string | undefined;
}

/** Longest name and longest text on an object, in characters: longer values aren't meant for readers. */
const NAME_LENGTH_MAX = 80;
const SAID_LENGTH_MAX = 2_000;
/** Types that the text view omits, unless the object has an action or is a landmark. */
const UNNOTICED: readonly unknown[] = ["light", "entity", "camera", "camera-override", "shadow", "particle"];

/** The description of a visible object; `undefined` for others. `base` is the page's address. */
export function textObjectOf({ objectId, type, attributes }: SceneObject, base: string): TextViewObject | undefined {
  if (type !== "object" || flag(attributes.visible) === false) return undefined;
  const kind = typeof attributes.object_type === "string" ? attributes.object_type.slice(0, NAME_LENGTH_MAX) : "";
  const panel = panelOf(kind, attributes, base);
  const actions = [...buttonsOf(panel), ...actionsOf(componentSettings(attributes, base))];
  const landmark = bag(attributes.landmark);
  if (UNNOTICED.includes(kind) && actions.length === 0 && landmark === undefined) return undefined;
  const name = titleOf(attributes, panel) ?? nameByUse(objectId, attributes) ?? wordsIn(objectId);
  return {
    id: objectId,
    name,
    type: kind,
    color: colorWord(bag(attributes.material)?.color ?? attributes.color),
    says: textsOn(attributes, panel).filter((line) => line !== name),
    actions,
    landmark: landmark === undefined ? undefined : text(landmark.label, NAME_LENGTH_MAX)?.trim() || name,
  };
}

function panelOf(kind: string, attributes: SceneObject["attributes"], base: string): PanelSettings | undefined {
  if (kind !== "arenaui-card" && kind !== "arenaui-prompt" && kind !== "arenaui-button-panel") return undefined;
  return panelFrom(panelSettings(kind, attributes, base).panel);
}

/** Narrows the result of `panelSettings`. */
function panelFrom(value: unknown): PanelSettings | undefined {
  return isPanel(value) ? value : undefined;
}

function isPanel(value: unknown): value is PanelSettings {
  return typeof bag(value)?.kind === "string";
}

function buttonsOf(panel: PanelSettings | undefined): readonly AvailableObjectAction[] {
  if (panel === undefined || panel.kind === "card") return [];
  return panel.buttons.map(({ name }, index) => ({ kind: "button", name, index }));
}

function actionsOf(settings: Readonly<Record<string, unknown>>): readonly AvailableObjectAction[] {
  const of = (component: string) => bag(settings[component]);
  const [click, link, landmark] = [of("stoa-clickable"), of("stoa-link"), of("stoa-landmark")];
  const [input, portal, seat] = [of("stoa-text-input"), of("stoa-portal"), of("stoa-seat")];
  const actions: AvailableObjectAction[] = [];
  if (seat !== undefined) actions.push(seatOf(seat));
  if (input !== undefined) actions.push({ kind: "ask", question: questionOf(input) });
  if (typeof link?.url === "string") actions.push({ kind: "open", url: link.url, newTab: link.dest !== "sametab" });
  if (typeof portal?.scene === "string")
    actions.push({ kind: "portal", scene: portal.scene, landmark: text(portal.landmark) ?? "" });
  const press = click !== undefined && click.silent !== true;
  // One press does both: it moves the user and notifies the scene.
  if (typeof landmark?.landmark === "string") actions.push({ kind: "travel", landmark: landmark.landmark, press });
  else if (press) actions.push({ kind: "press" });
  return actions;
}

function seatOf({ offset, facing }: Readonly<Record<string, unknown>>): AvailableObjectAction {
  const { x, y, z } = xyz(offset) ?? { x: 0, y: 0, z: 0 };
  return { kind: "sit", offset: [x, y, z], facingRad: ((finite(facing) ?? 0) * Math.PI) / 180 };
}

function questionOf(input: Readonly<Record<string, unknown>>): TextPrompt {
  const word = (key: string): string => text(input[key]) ?? "";
  const options = Array.isArray(input.inputOptions) ? input.inputOptions.map(String) : [];
  return {
    title: word("title"),
    label: word("label"),
    placeholder: word("placeholder"),
    inputType: word("inputType"),
    inputValue: word("inputValue"),
    inputOptions: options,
  };
}

function titleOf(attributes: SceneObject["attributes"], panel: PanelSettings | undefined): string | undefined {
  const titles = [bag(attributes.attribution)?.title, panel?.title, bag(attributes.landmark)?.label, attributes.value];
  const found = titles
    .map((title) => text(title, NAME_LENGTH_MAX)?.trim())
    .find((title) => title !== undefined && title !== "");
  return found?.split("\n")[0];
}

function textsOn(attributes: SceneObject["attributes"], panel: PanelSettings | undefined): readonly string[] {
  const lines: unknown[] = [attributes.value];
  if (panel?.kind === "card") lines.push(panel.body, panel.imgCaption);
  if (panel?.kind === "prompt") lines.push(panel.description);
  return lines.map((one) => text(one, SAID_LENGTH_MAX)?.trim() ?? "").filter((one) => one !== "");
}

/** Splits a technical id into words: `red_lamp-2` becomes "red lamp 2". */
function wordsIn(objectId: string): string {
  const words = objectId.replaceAll(/[-_.:/]+/g, " ").replaceAll(/([a-z])([A-Z])/g, "$1 $2");
  return words.trim().slice(0, NAME_LENGTH_MAX) || objectId;
}
