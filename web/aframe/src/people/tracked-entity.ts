/** Moves an entity along a `PoseTrack`, once per render frame. */
import type { Entity } from "../aframe.ts";
import type { Clock } from "../clock.ts";
import type { PoseArray } from "./interpolation.ts";
import { MotionDelay, PoseTrack } from "./track.ts";

/** Moves one entity smoothly. Hidden while its pose is unknown. */
export class TrackedEntity {
  readonly #pose: PoseArray = new Float64Array(7);
  readonly #el: Entity;
  readonly #now: Clock;
  #track = new PoseTrack(new MotionDelay());

  constructor(el: Entity, now: Clock) {
    this.#el = el;
    this.#now = now;
    el.object3D.visible = false;
  }

  /** Sets the track to follow. */
  follow(track: PoseTrack): void {
    this.#track = track;
    this.tick();
  }

  /** Applies the current pose. */
  tick(): void {
    this.#el.object3D.visible = this.#track.isKnown;
    if (!this.#track.isKnown) return;
    this.#track.sample(this.#now(), this.#pose);
    const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = this.#pose;
    this.#el.object3D.position.set(x, y, z);
    this.#el.object3D.quaternion.set(qx, qy, qz, qw);
  }
}
