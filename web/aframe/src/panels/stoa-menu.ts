/** What whoever is in VR or AR may do besides moving, as a list that a button at the hand opens. Stands on the rig. Page: docs/components/stoa-menu.md */
import type { AFrame, Behaviour, Entity, Three } from "../aframe.ts";
import { MENU_ENTRIES_MAX, OWN_PANEL_AWAY_M } from "../limits.ts";
import type { Pointer } from "../pressing/stoa-pointer.ts";
import { OWN_LOOK, OwnPanel, type PanelPose } from "./own-panel.ts";

/** One thing that can be done. */
export interface MenuEntry {
  readonly label: string;
  /** How much of it nobody has seen yet: stands beside the label, and on the button of the menu. */
  readonly news?: number;
  /** Whether it is there now: asked when the menu is opened; without it, it always is. */
  readonly may?: () => boolean;
  /** Called when it is pressed; the menu is closed by then. */
  readonly run: () => void;
}

/** The settings of `stoa-menu`. */
export interface MenuSettings {
  /** On the button that opens the list; without it there is none. */
  readonly label: string;
  /** On the button that closes the list. */
  readonly close: string;
}

const BUTTON_SCALE = 0.16;
const LIST_SCALE = 0.5;
/** Above the hand, and, where there is none, below the eyes. */
const ABOVE_HAND_M = 0.1;
const BELOW_EYES_M = 0.4;
/** How far the list's middle lies below the eyes. */
const LIST_BELOW_M = 0.1;
/** A button before one follows the head once it is turned this much away. */
const FOLLOW_RAD = 0.6;
/** The upper one of the two beside a stick, in WebXR's order; of controllers with one, that. */
const UPPER = 5;
const LOWER = 4;

/** The menu. */
export class Menu implements Behaviour<MenuSettings> {
  /** Who knows where the hands are. */
  pointer: Pick<Pointer, "handPose"> | null = null;
  /** Told when other things can be pressed than before. */
  onTargets: () => void = () => undefined;

  readonly #el: Entity;
  readonly #button: OwnPanel;
  readonly #list: OwnPanel;
  readonly #eyes: Three.Vector3;
  readonly #ahead: Three.Vector3;
  readonly #hand: Three.Vector3;
  readonly #turn: Three.Quaternion;
  readonly #place = { x: 0, y: 0, z: 0, yawRad: 0, leanRad: 0 };
  #settings: MenuSettings = { label: "", close: "" };
  #entries: readonly MenuEntry[] = [];
  /** Those of them that are on the list now. */
  #listed: readonly MenuEntry[] = [];
  #isPressed = false;
  #yawRad = Number.NaN;

  constructor(aframe: AFrame, el: Entity) {
    const { THREE } = aframe;
    this.#el = el;
    this.#button = new OwnPanel(el, BUTTON_SCALE, () => this.toggle());
    this.#list = new OwnPanel(el, LIST_SCALE, (index) => this.#run(index));
    [this.#eyes, this.#ahead, this.#hand] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    this.#turn = new THREE.Quaternion();
  }

  /** What a ray meets. */
  get targets(): readonly Three.Object3D[] {
    return [this.#button.target, this.#list.target].filter((target) => target !== null);
  }

  /** Whether the list is open. */
  get isOpen(): boolean {
    return this.#list.isShown;
  }

  update(settings: MenuSettings): void {
    this.#settings = settings;
  }

  owns(el: Entity | null): boolean {
    return this.#button.is(el) || this.#list.is(el);
  }

  /** What can be done from now on, in this order. */
  setEntries(entries: readonly MenuEntry[]): void {
    this.#entries = entries.slice(0, MENU_ENTRIES_MAX);
    if (this.isOpen) this.#draw();
    if (this.#button.isShown) this.#drawButton();
  }

  toggle(): void {
    if (this.isOpen) this.#close();
    else if (this.#entries.length > 0) this.#open();
  }

  tick(): void {
    const { sceneEl } = this.#el;
    const isWanted = (sceneEl?.is("vr-mode") || sceneEl?.is("ar-mode")) === true && this.#settings.label !== "";
    if (isWanted !== this.#button.isShown) this.#show(isWanted);
    if (!isWanted) return;
    this.#look();
    this.#hold();
    const wasPressed = this.#isPressed;
    this.#isPressed = isUpperPressed(sceneEl?.xrSession);
    if (this.#isPressed && !wasPressed) this.toggle();
  }

  /** Where a panel stands well before one's eyes, in the rig: so far below them, leant back. */
  placeAhead(belowM: number, leanRad = 0): PanelPose {
    this.#look();
    const yawRad = Math.atan2(-this.#ahead.x, -this.#ahead.z);
    const { x, y, z } = this.#eyes;
    const away = { x: x - Math.sin(yawRad) * OWN_PANEL_AWAY_M, z: z - Math.cos(yawRad) * OWN_PANEL_AWAY_M };
    return { ...away, y: y - belowM, yawRad, leanRad };
  }

  remove(): void {
    this.#show(false);
  }

  #show(isWanted: boolean): void {
    this.#yawRad = Number.NaN;
    if (isWanted) this.#drawButton();
    else for (const panel of [this.#button, this.#list]) panel.hide();
    this.onTargets();
  }

  #open(): void {
    this.#draw();
    this.#list.place(this.placeAhead(LIST_BELOW_M));
    this.onTargets();
  }

  #close(): void {
    this.#list.hide();
    this.onTargets();
  }

  #drawButton(): void {
    const news = this.#entries.reduce((sum, entry) => sum + (entry.news ?? 0), 0);
    const buttons = [{ name: counted(this.#settings.label, news) }];
    this.#button.show({ ...OWN_LOOK, kind: "buttons", vertical: true, buttons });
  }

  #draw(): void {
    const { label: title, close } = this.#settings;
    this.#listed = this.#entries.filter(({ may }) => may?.() ?? true);
    const buttons = [...this.#listed.map(({ label, news }) => ({ name: counted(label, news) })), { name: close }];
    this.#list.show({ ...OWN_LOOK, title, kind: "buttons", vertical: true, buttons });
  }

  #run(index: number): void {
    const entry = this.#listed[index];
    this.#close();
    entry?.run();
  }

  /** Where the eyes are in the rig, and which way they look. */
  #look(): void {
    const { camera } = this.#el.sceneEl ?? {};
    if (!camera) return;
    camera.getWorldPosition(this.#eyes);
    camera.getWorldDirection(this.#ahead).add(this.#eyes);
    this.#el.object3D.worldToLocal(this.#eyes);
    this.#el.object3D.worldToLocal(this.#ahead).sub(this.#eyes);
  }

  /** Keeps the button at the hand, turned to the eyes. */
  #hold(): void {
    const place = this.#place;
    const eyes = this.#eyes;
    if (this.pointer?.handPose("left", this.#hand, this.#turn)) {
      this.#el.object3D.worldToLocal(this.#hand);
      [place.x, place.y, place.z] = [this.#hand.x, this.#hand.y + ABOVE_HAND_M, this.#hand.z];
    } else {
      const yawRad = Math.atan2(-this.#ahead.x, -this.#ahead.z);
      if (!(Math.cos(yawRad - this.#yawRad) > Math.cos(FOLLOW_RAD))) this.#yawRad = yawRad;
      place.x = eyes.x - Math.sin(this.#yawRad) * OWN_PANEL_AWAY_M;
      place.y = eyes.y - BELOW_EYES_M;
      place.z = eyes.z - Math.cos(this.#yawRad) * OWN_PANEL_AWAY_M;
    }
    const [x, z] = [eyes.x - place.x, eyes.z - place.z];
    place.yawRad = Math.atan2(x, z);
    place.leanRad = -Math.atan2(eyes.y - place.y, Math.hypot(x, z));
    this.#button.place(place);
  }
}

function counted(label: string, news = 0): string {
  return news > 0 ? `${label} (${news})` : label;
}

function isUpperPressed(session: XRSession | undefined): boolean {
  const sources = session?.inputSources;
  for (let at = 0; at < (sources?.length ?? 0); at += 1) {
    const buttons = sources?.[at]?.gamepad?.buttons;
    if ((buttons?.[UPPER] ?? buttons?.[LOWER])?.pressed === true) return true;
  }
  return false;
}

/** Makes `stoa-menu` known to A-Frame. */
export function registerMenu(aframe: AFrame): void {
  aframe.registerComponent<MenuSettings, Menu>({
    name: "stoa-menu",
    schema: { label: { type: "plain", default: "" }, close: { type: "plain", default: "" } },
    create: (el) => new Menu(aframe, el),
  });
}
