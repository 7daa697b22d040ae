/** Handles gestures besides movement: a raised hand, a pointing beam and reactions, by buttons and keys. */
import type { Reaction } from "@stoa/aframe";
import type { SceneSession } from "@stoa/client";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Preferences } from "../preferences/preferences.ts";
import type { SceneViewController } from "./stage.ts";

/** Reactions, in the order of the keys 1 to 6. */
export const REACTION_NAMES: readonly Reaction[] = ["heart", "thumb", "clap", "laugh", "star", "question"];

/** Keys of the lasting gestures. */
export const KEYS = { raise: "H", point: "L" } as const;

/** The host element, which has a stage once the scene is shown. */
export interface AvatarGesturesHost extends ReactiveControllerHost {
  readonly stage: SceneViewController | undefined;
  readonly session: SceneSession | undefined;
  readonly preferences: Preferences | undefined;
}

/** Holds the gestures and passes them to the stage. A new session starts without any. */
export class OwnGestureController implements ReactiveController {
  readonly #host: AvatarGesturesHost;
  #session: SceneSession | undefined;
  #isHandRaised = false;
  #isPointing = false;

  constructor(host: AvatarGesturesHost) {
    this.#host = host;
    host.addController(this);
  }

  get isHandRaised(): boolean {
    return this.#isHandRaised;
  }

  get isPointing(): boolean {
    return this.#isPointing;
  }

  hostConnected(): void {
    addEventListener("keydown", this.#key);
  }

  hostDisconnected(): void {
    removeEventListener("keydown", this.#key);
  }

  hostUpdate(): void {
    if (this.#session === this.#host.session) return;
    this.#session = this.#host.session;
    this.#isHandRaised = this.#isPointing = false;
  }

  raiseHand(handRaised: boolean): void {
    if (this.#host.stage === undefined) return;
    this.#isHandRaised = handRaised;
    this.#host.stage.setDoing({ handRaised });
    this.#host.requestUpdate();
  }

  point(pointing: boolean): void {
    if (this.#host.stage === undefined) return;
    this.#isPointing = pointing;
    this.#host.stage.setDoing({ pointing });
    this.#host.requestUpdate();
  }

  react(reaction: Reaction): void {
    this.#host.stage?.react(reaction);
  }

  /** Handles keys pressed in the scene; panels stop the propagation of theirs. */
  readonly #key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || isTyping(event)) return;
    if (this.#host.preferences?.comfort.letterKeys === false) return;
    const key = event.key.toUpperCase();
    if (key === KEYS.raise) this.raiseHand(!this.#isHandRaised);
    if (key === KEYS.point) this.point(!this.#isPointing);
    const reaction = REACTION_NAMES[Number(key) - 1];
    if (reaction !== undefined) this.react(reaction);
  };
}

/** Whether a key is typed into a form of the page itself, such as the name form. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}
