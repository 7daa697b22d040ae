/** Another person's hand, moved smoothly. Page: docs/components/stoa-hand.md */
import type { AFrameAdapter, Behaviour, Entity } from "../aframe.ts";
import type { Clock } from "../clock.ts";
import { dispose } from "../meshes.ts";
import { color as colorOf } from "../values.ts";
import { personPart } from "./person-part.ts";
import type { PoseTrack } from "./track.ts";
import { TrackedEntity } from "./tracked-entity.ts";

export interface HandSettings {
  readonly color: string;
}

const HAND = "stoa-hand";
const DEFAULT_COLOR = "#4f7cac";

/** One hand. */
export class HandBehaviour implements Behaviour<HandSettings> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #moving: TrackedEntity;

  constructor(aframe: AFrameAdapter, el: Entity, now: Clock) {
    this.#aframe = aframe;
    this.#el = el;
    this.#moving = new TrackedEntity(el, now);
  }

  update(settings: HandSettings): void {
    this.remove();
    this.#el.setObject3D(HAND, personPart(this.#aframe, "hand", colorOf(settings.color) ?? DEFAULT_COLOR));
  }

  /** Sets the track that moves this hand. */
  follow(track: PoseTrack): void {
    this.#moving.follow(track);
  }

  tick(): void {
    this.#moving.tick();
  }

  remove(): void {
    const hand = this.#el.getObject3D(HAND);
    if (!hand) return;
    this.#el.removeObject3D(HAND);
    dispose(hand);
  }
}

/** Registers `stoa-hand`. */
export function registerHand(aframe: AFrameAdapter, now: Clock): void {
  aframe.registerComponent<HandSettings, HandBehaviour>({
    name: "stoa-hand",
    schema: { color: { type: "string", default: DEFAULT_COLOR } },
    create: (el) => new HandBehaviour(aframe, el, now),
  });
}
