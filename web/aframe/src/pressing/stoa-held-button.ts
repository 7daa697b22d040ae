/**
 * Tells whether the lower button of a controller (A, X) is held, in VR and AR. Belongs on the rig. Page:
 * docs/components/stoa-held-button.md
 */
import type { AFrameAdapter, Behaviour, SceneElement } from "../aframe.ts";

/** WebXR gamepad indices of the buttons beside the stick. The lower one of a controller without an upper is the menu's. */
const LOWER = 4;
const UPPER = 5;

/** The buttons of both controllers as one. */
export class HeldButtonBehaviour implements Behaviour<unknown> {
  /** Called when the button is pressed and when it is released, also by the end of the session or its view. */
  onHeld: (isHeld: boolean) => void = () => undefined;
  readonly #scene: SceneElement;
  readonly #listening = new AbortController();
  #isHeld = false;

  constructor(scene: SceneElement) {
    this.#scene = scene;
    const { signal } = this.#listening;
    scene.addEventListener("enter-vr", () => this.#follow(scene.xrSession), { signal });
    // No render frame tells the end.
    scene.addEventListener("exit-vr", () => this.#set(false), { signal });
    this.#follow(scene.xrSession);
  }

  tick(): void {
    const { xrSession } = this.#scene;
    const isImmersed = this.#scene.is("vr-mode") || this.#scene.is("ar-mode");
    this.#set(isImmersed && xrSession !== undefined && isSeen(xrSession) && isLowerPressed(xrSession));
  }

  remove(): void {
    this.#listening.abort();
    this.#set(false);
  }

  /** Releases the button while the headset shows its own menu, when controllers belong to that. */
  #follow(session: XRSession | undefined): void {
    const { signal } = this.#listening;
    session?.addEventListener("visibilitychange", () => isSeen(session) || this.#set(false), { signal });
  }

  #set(isHeld: boolean): void {
    if (isHeld === this.#isHeld) return;
    this.#isHeld = isHeld;
    this.onHeld(isHeld);
  }
}

function isSeen({ visibilityState }: XRSession): boolean {
  return visibilityState === "visible";
}

function isLowerPressed({ inputSources }: XRSession): boolean {
  for (let at = 0; at < inputSources.length; at += 1) {
    const buttons = inputSources[at]?.gamepad?.buttons;
    if (buttons?.[UPPER] !== undefined && buttons[LOWER]?.pressed === true) return true;
  }
  return false;
}

/** Registers `stoa-held-button`. */
export function registerHeldButton(aframe: AFrameAdapter): void {
  aframe.registerComponent<unknown, HeldButtonBehaviour>({
    name: "stoa-held-button",
    schema: {},
    create: (el) => {
      if (!el.sceneEl) throw new Error("stoa-held-button must be inside an a-scene");
      return new HeldButtonBehaviour(el.sceneEl);
    },
  });
}
