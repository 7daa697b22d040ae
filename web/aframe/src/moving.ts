/** Puts an entity where a `PoseBuffer` says, once per render frame. */
import type { Pose } from "@stoa/client";
import type { Entity } from "./aframe.ts";
import { type PoseArray, PoseBuffer } from "./interpolation.ts";

/** A clock in milliseconds; `performance.now` in a page. */
export type Clock = () => number;

/** Moves one entity smoothly. Hidden until its first pose. */
export class Moving {
  readonly #buffer = new PoseBuffer();
  readonly #pose: PoseArray = new Float64Array(7);
  readonly #incoming: PoseArray = new Float64Array(7);
  readonly #el: Entity;
  readonly #now: Clock;

  constructor(el: Entity, now: Clock) {
    this.#el = el;
    this.#now = now;
    el.object3D.visible = false;
  }

  /** Takes a pose that has just arrived. */
  push(pose: Pose): void {
    this.#incoming.set(pose.position, 0);
    this.#incoming.set(pose.rotation, 3);
    this.#buffer.push(this.#now(), this.#incoming);
    this.#el.object3D.visible = true;
  }

  /** Moves the entity to where it is now. */
  tick(): void {
    if (this.#buffer.empty) return;
    this.#buffer.sample(this.#now(), this.#pose);
    const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = this.#pose;
    this.#el.object3D.position.set(x, y, z);
    this.#el.object3D.quaternion.set(qx, qy, qz, qw);
  }
}
