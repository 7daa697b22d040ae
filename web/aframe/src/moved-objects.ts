/** Objects of the scene that somebody moves on the motion plane. */
import type { Motion, Mover } from "@stoa/client";
import type { Three } from "./aframe.ts";
import type { PoseArray } from "./interpolation.ts";
import type { Clock } from "./moving.ts";
import { type MotionDelay, Track } from "./track.ts";

/** What it is made of. */
export interface MovedObjectsOptions {
  readonly now: Clock;
  readonly motion: Motion;
  readonly delay: MotionDelay;
  /** What is drawn of an object; `null` where there is none, or something else says where it is. */
  readonly find: (objectId: string) => Three.Object3D | null;
}

/** All that are moved. Nothing is allocated in `tick`. */
export class MovedObjects {
  readonly #options: MovedObjectsOptions;
  readonly #tracks = new Map<Mover, Track>();
  readonly #pose: PoseArray = new Float64Array(7);
  readonly #stop: () => void;

  constructor(options: MovedObjectsOptions) {
    this.#options = options;
    this.#stop = options.motion.follow({
      onEntered: () => undefined,
      onMoved: (mover, at, pose) => this.#trackOf(mover)?.handleMotion(options.now(), at, pose),
      onLeft: (mover) => this.#tracks.delete(mover),
    });
  }

  /** Once per render frame: puts each where it is. One that has left stays where it was, until a message moves it. */
  tick(nowMs: number): void {
    for (const [mover, track] of this.#tracks) {
      const object = this.#options.find(mover.name);
      if (object === null) continue;
      track.sample(nowMs, this.#pose);
      const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = this.#pose;
      object.position.set(x, y, z);
      object.quaternion.set(qx, qy, qz, qw);
    }
  }

  /** Listens no more. */
  dispose(): void {
    this.#stop();
    this.#tracks.clear();
  }

  #trackOf(mover: Mover): Track | undefined {
    if (mover.kind !== "object") return undefined;
    const track = this.#tracks.get(mover) ?? new Track(this.#options.delay);
    this.#tracks.set(mover, track);
    return track;
  }
}
