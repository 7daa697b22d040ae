/** The user's own panels in VR and AR: menu, text entry, choice dialog and scene placing. */
import { behaviourOf, type Entity, type SceneElement, type Three } from "./aframe.ts";
import { INPUT_TEXT_LENGTH_MAX } from "./limits.ts";
import type { LocomotionBehaviour } from "./locomotion/stoa-locomotion.ts";
import { ScenePlacementBehaviour } from "./locomotion/stoa-placing.ts";
import type { KeyboardLayout } from "./panels/keyboard.ts";
import { OWN_LOOK, OwnPanel } from "./panels/own-panel.ts";
import { MenuBehaviour, type MenuEntry } from "./panels/stoa-menu.ts";
import { type OpenWriting, TextEntryController, type WritingRequest } from "./panels/text-entry.ts";
import { CLIENT_EVENT } from "./pressing/stoa-clickable.ts";
import type { CapturedPress, PointerBehaviour } from "./pressing/stoa-pointer.ts";
import type { TextRequest } from "./pressing/stoa-text-input.ts";

/** The texts of the user's own panels in VR and AR. */
export interface OwnWords {
  /** Label of the button that opens the menu. */
  readonly menu: string;
  readonly close: string;
  /** Hint shown while the scene is placed in the user's room. */
  readonly place: string;
  /** Label of the button that ends placing and keeps the position. */
  readonly keep: string;
  readonly keyboard: KeyboardLayout;
}

export interface ImmersivePanelsOptions {
  readonly scene: SceneElement;
  readonly rig: Entity;
  /** Without texts there are no panels. */
  readonly words: OwnWords | undefined;
  /** The set of raycast targets has changed. */
  readonly onTargets: () => void;
}

const CHOICE_SCALE = 0.5;
const CHOICE_WIDTH_M = 1.2;
const CHOICE_BELOW_M = 0.1;
/** Types of a text input that are shown as a choice. */
const CHOICE_TYPES = ["select", "radio", "checkbox"];
/** Types of a text input for which the keyboard starts with digits. */
const NUMERIC_TYPES = ["number", "range", "tel", "date", "datetime-local", "time", "week", "month"];

/** The user's own panels in one scene. */
export class ImmersivePanels {
  readonly #options: ImmersivePanelsOptions;
  readonly #textEntry: TextEntryController | null;
  readonly #choicePanel: OwnPanel;
  readonly #listeners = new AbortController();
  #entries: readonly MenuEntry[] = [];
  #resolveChoice: (index: number | null) => void = () => undefined;

  constructor(options: ImmersivePanelsOptions) {
    this.#options = options;
    const { scene, rig, words, onTargets } = options;
    rig.setAttribute("stoa-menu", { label: words?.menu ?? "", close: words?.close ?? "" });
    rig.setAttribute("stoa-placing", { hint: words?.place ?? "", keep: words?.keep ?? "" });
    const placeAhead = (belowM: number, leanRad: number) => this.#menu?.placeAhead(belowM, leanRad) ?? null;
    this.#textEntry =
      words === undefined ? null : new TextEntryController({ rig, words: words.keyboard, placeAhead, onTargets });
    this.#choicePanel = new OwnPanel(rig, CHOICE_SCALE, (index) => this.#resolveChoice(index));
    scene.addEventListener("exit-vr", () => this.#close(), { signal: this.#listeners.signal });
  }

  get isOn(): boolean {
    const { scene, words } = this.#options;
    return words !== undefined && (scene.is("vr-mode") || scene.is("ar-mode"));
  }

  /** The raycast targets of the open panels. */
  get targets(): readonly Three.Object3D[] {
    const { target } = this.#choicePanel;
    const panels = [this.#menu, this.#placing, this.#textEntry].flatMap((one) => one?.targets ?? []);
    return target ? [...panels, target] : panels;
  }

  /** Whether the user is in AR on a device that detects the room's surfaces. */
  get mayPlace(): boolean {
    return this.#placing?.isAble === true;
  }

  get #placing(): ScenePlacementBehaviour | null {
    return behaviourOf(this.#options.rig, "stoa-placing", ScenePlacementBehaviour);
  }

  get #menu(): MenuBehaviour | null {
    return behaviourOf(this.#options.rig, "stoa-menu", MenuBehaviour);
  }

  /** Whether a press on `el` belongs to one of these panels instead of the scene. */
  owns(el: Entity | null): boolean {
    return (
      (el !== null && [this.#menu, this.#placing, this.#textEntry].some((one) => one?.owns(el))) ||
      this.#choicePanel.is(el)
    );
  }

  /** Connects the panels once the rig's components are initialized. */
  wire(pointer: PointerBehaviour | null, locomotion: LocomotionBehaviour | null): void {
    const [menu, placing] = [this.#menu, this.#placing];
    const { onTargets, scene } = this.#options;
    if (menu) {
      menu.pointer = pointer;
      menu.onTargets = onTargets;
      menu.setEntries(this.#entries);
    }
    if (placing) {
      placing.locomotion = locomotion;
      placing.onTargets = onTargets;
      placing.placeAhead = (belowM) => menu?.placeAhead(belowM) ?? null;
      placing.onHit = (event) => scene.emit(CLIENT_EVENT, event, false);
    }
  }

  /** Handles a press that hit none of these panels. Only scene placing captures such presses. */
  take(target: Entity | null): CapturedPress | null {
    return this.#placing?.take(target !== null) ?? null;
  }

  /** Starts placing the scene in the user's room. */
  place(): void {
    this.#placing?.start();
  }

  setEntries(entries: readonly MenuEntry[]): void {
    this.#entries = entries;
    this.#menu?.setEntries(entries);
  }

  /** Opens text entry; `null` outside of VR and AR, or without texts. */
  write(request: WritingRequest): OpenWriting | null {
    return this.isOn ? (this.#textEntry?.open(request) ?? null) : null;
  }

  /** Asks the user for an object's text input. Resolves to `null` on cancel. */
  ask(request: TextRequest): Promise<string | null> {
    return CHOICE_TYPES.includes(request.inputType) ? this.#askChoice(request) : this.#askText(request);
  }

  dispose(): void {
    this.#listeners.abort();
    this.#close();
  }

  #askText({ title, label, placeholder, inputType, inputValue }: TextRequest): Promise<string | null> {
    return new Promise((resolve) => {
      const writing = this.write({
        title,
        lines: [label, placeholder].filter((line) => line !== ""),
        text: inputValue,
        isNumber: NUMERIC_TYPES.includes(inputType),
        lengthMax: INPUT_TEXT_LENGTH_MAX,
        onSend: (text) => {
          resolve(text);
          writing?.close();
        },
        onClose: () => resolve(null),
      });
      if (writing === null) resolve(null);
    });
  }

  #askChoice({ title, label, placeholder, inputType, inputOptions }: TextRequest): Promise<string | null> {
    const isCheck = inputType === "checkbox";
    const names = isCheck ? [placeholder === "" ? label : placeholder] : inputOptions;
    const buttons = [...names, this.#options.words?.close ?? ""].map((name) => ({ name }));
    this.#resolveChoice(null);
    const place = this.#menu?.placeAhead(CHOICE_BELOW_M);
    this.#choicePanel.show({ ...OWN_LOOK, kind: "prompt", title, description: label, buttons, width: CHOICE_WIDTH_M });
    if (place) this.#choicePanel.place(place);
    this.#options.onTargets();
    return new Promise((resolve) => {
      this.#resolveChoice = (index) => {
        this.#resolveChoice = () => undefined;
        this.#choicePanel.hide();
        this.#options.onTargets();
        const name = index === null ? undefined : names[index];
        resolve(name !== undefined && isCheck ? "1" : (name ?? null));
      };
    });
  }

  #close(): void {
    this.#textEntry?.close();
    this.#resolveChoice(null);
  }
}
