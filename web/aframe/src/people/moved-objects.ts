/** Moves the nodes of scene objects along the poses that the motion plane delivers. */
import type { Motion, Mover } from "@stoa/client";
import type { Three } from "../aframe.ts";
import type { Clock } from "../clock.ts";
import type { PoseArray } from "./interpolation.ts";
import { type MotionDelay, PoseTrack } from "./track.ts";

export interface MovedObjectsOptions {
  readonly now: Clock;
  readonly motion: Motion;
  readonly delay: MotionDelay;
  /** The object's three.js node; `null` if it doesn't exist or is positioned by something else. */
  readonly find: (objectId: string) => Three.Object3D | null;
}

/** One moved object. */
interface InterpolatedObject {
  readonly track: PoseTrack;
  /** The pose written last; NaN before the first. */
  readonly lastPose: PoseArray;
  /** Whether the object's mover has left, while the rest of the movement still plays. */
  isOver: boolean;
}

/** All objects moved on the motion plane. `tick` allocates nothing. */
export class MovedObjects {
  readonly #options: MovedObjectsOptions;
  readonly #moved = new Map<Mover, InterpolatedObject>();
  readonly #stop: () => void;

  constructor(options: MovedObjectsOptions) {
    this.#options = options;
    this.#stop = options.motion.follow({
      onEntered: () => undefined,
      onMoved: (mover, at, pose) => this.#movedBy(mover)?.track.handleMotion(options.now(), at, pose),
      onLeft: (mover) => {
        const moved = this.#moved.get(mover);
        if (moved !== undefined) moved.isOver = true;
      },
    });
  }

  /**
   * Once per render frame: applies the interpolated poses. After its mover has left, an object plays up to its newest
   * pose and rests there until a message moves it.
   */
  tick(nowMs: number): void {
    for (const [mover, moved] of this.#moved) {
      const object = this.#options.find(mover.name);
      if (moved.isOver && (object === null || wasTaken(object, moved.lastPose))) this.#moved.delete(mover);
      else if (object !== null && this.#applyPose(object, moved, nowMs)) this.#moved.delete(mover);
    }
  }

  dispose(): void {
    this.#stop();
    this.#moved.clear();
  }

  /** Writes the object's pose. Returns true at the end of a movement. */
  #applyPose(object: Three.Object3D, { track, lastPose, isOver }: InterpolatedObject, nowMs: number): boolean {
    const isLast = isOver && track.sampleLast(nowMs, lastPose);
    if (!isOver) track.sample(nowMs, lastPose);
    const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = lastPose;
    object.position.set(x, y, z);
    object.quaternion.set(qx, qy, qz, qw);
    return isLast;
  }

  #movedBy(mover: Mover): InterpolatedObject | undefined {
    if (mover.kind !== "object") return undefined;
    const before = this.#moved.get(mover);
    if (before !== undefined) return before;
    const lastPose = new Float64Array(7).fill(Number.NaN);
    const moved = { track: new PoseTrack(this.#options.delay), lastPose, isOver: false };
    this.#moved.set(mover, moved);
    return moved;
  }
}

/** Whether something else has moved the object since its last pose was written. */
function wasTaken({ position, quaternion }: Three.Object3D, [x, y, z, qx, qy, qz, qw]: PoseArray): boolean {
  if (Number.isNaN(x)) return false;
  const isThere = position.x === x && position.y === y && position.z === z;
  return !(isThere && quaternion.x === qx && quaternion.y === qy && quaternion.z === qz && quaternion.w === qw);
}
