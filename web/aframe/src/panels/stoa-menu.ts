/**
 * The menu in VR and AR: a list opened by a button at the left hand or, if untracked, in front of the user. Belongs on
 * the rig. Page: docs/components/stoa-menu.md
 */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import { MENU_ENTRIES_MAX, OWN_PANEL_AWAY_M } from "../limits.ts";
import type { PointerBehaviour } from "../pressing/stoa-pointer.ts";
import { OWN_LOOK, OwnPanel, type RigSpacePose } from "./own-panel.ts";

/** A menu entry. */
export interface MenuEntry {
  readonly label: string;
  /** Number of unread items, shown beside the label and on the menu's button. */
  readonly news?: number;
  /** Whether the entry is available, evaluated when the menu opens; default: always. */
  readonly may?: () => boolean;
  /** Called when pressed, after the menu has closed. */
  readonly run: () => void;
}

export interface MenuSettings {
  /** Label of the button that opens the list; empty: no button. */
  readonly label: string;
  /** Label of the button that closes the list. */
  readonly close: string;
}

const BUTTON_SCALE = 0.16;
const LIST_SCALE = 0.5;
/** Offset above the hand, or below the eyes without one. */
const ABOVE_HAND_M = 0.1;
const BELOW_EYES_M = 0.4;
/** Depth of the list's centre below the eyes. */
const LIST_BELOW_M = 0.1;
/** The button in front of the user follows the head beyond this angle. */
const FOLLOW_RAD = 0.6;
/** WebXR gamepad index of the upper button beside the stick; controllers with one button have only the lower. */
const UPPER = 5;
const LOWER = 4;

/** The menu of one rig. */
export class MenuBehaviour implements Behaviour<MenuSettings> {
  /** Source of hand poses. */
  pointer: Pick<PointerBehaviour, "handPose"> | null = null;
  /** The set of raycast targets has changed. */
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
  /** The entries shown in the open list. */
  #listed: readonly MenuEntry[] = [];
  #isPressed = false;
  #yawRad = Number.NaN;

  constructor(aframe: AFrameAdapter, el: Entity) {
    const { THREE } = aframe;
    this.#el = el;
    this.#button = new OwnPanel(el, BUTTON_SCALE, () => this.toggle());
    this.#list = new OwnPanel(el, LIST_SCALE, (index) => this.#run(index));
    [this.#eyes, this.#ahead, this.#hand] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    this.#turn = new THREE.Quaternion();
  }

  /** The raycast targets. */
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

  /** Sets the entries, in order. */
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
    this.#readEyes();
    this.#placeButton();
    const wasPressed = this.#isPressed;
    this.#isPressed = isUpperPressed(sceneEl?.xrSession);
    if (this.#isPressed && !wasPressed) this.toggle();
  }

  /** A pose in the rig's space for a panel in front of the eyes, lower by `belowM` and tilted by `leanRad`. */
  placeAhead(belowM: number, leanRad = 0): RigSpacePose {
    this.#readEyes();
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

  /** Reads position and direction of the eyes in the rig's space. */
  #readEyes(): void {
    const { camera } = this.#el.sceneEl ?? {};
    if (!camera) return;
    camera.getWorldPosition(this.#eyes);
    camera.getWorldDirection(this.#ahead).add(this.#eyes);
    this.#el.object3D.worldToLocal(this.#eyes);
    this.#el.object3D.worldToLocal(this.#ahead).sub(this.#eyes);
  }

  /** Keeps the button facing the eyes, above the left hand or, if untracked, in front of the user. */
  #placeButton(): void {
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

/** Registers `stoa-menu`. */
export function registerMenu(aframe: AFrameAdapter): void {
  aframe.registerComponent<MenuSettings, MenuBehaviour>({
    name: "stoa-menu",
    schema: { label: { type: "plain", default: "" }, close: { type: "plain", default: "" } },
    create: (el) => new MenuBehaviour(aframe, el),
  });
}
