/** Teleports a user who presses the object to another object. Page: docs/components/stoa-landmark.md */
import type { AFrameAdapter, Behaviour, Entity } from "../aframe.ts";
import { isRemotePress } from "../pressing/remote-presses.ts";

/** The settings of `stoa-landmark`: the target's object id, and the event that triggers the teleport. */
export interface LandmarkTriggerSettings {
  readonly landmark: string;
  readonly on: string;
}

/** Event that requests a teleport; its detail is the landmark's object id. */
export const GO_TO = "stoa-go-to";

/** The trigger of one object. */
export class TeleportTriggerBehaviour implements Behaviour<LandmarkTriggerSettings> {
  readonly #el: Entity;
  #listening = new AbortController();

  constructor(el: Entity) {
    this.#el = el;
  }

  update({ landmark, on }: LandmarkTriggerSettings): void {
    this.remove();
    this.#listening = new AbortController();
    this.#el.addEventListener(on, (event) => isRemotePress(event) || this.#el.emit(GO_TO, landmark, true), {
      signal: this.#listening.signal,
    });
  }

  remove(): void {
    this.#listening.abort();
  }
}

/** Registers `stoa-landmark`. */
export function registerLandmark(aframe: AFrameAdapter): void {
  aframe.registerComponent<LandmarkTriggerSettings, TeleportTriggerBehaviour>({
    name: "stoa-landmark",
    schema: { landmark: { type: "string", default: "" }, on: { type: "string", default: "mousedown" } },
    create: (el) => new TeleportTriggerBehaviour(el),
  });
}
