/**
 * Finds the current positions of people and objects in scene space, for the text view. A head's position comes from the
 * motion plane if the head is there or `Motion.decides` is true, else from camera messages. An object without a parent
 * has the position of the motion plane while it moves there; any other position follows from the attributes of the
 * object and its parents.
 */
import { bag, finite, SEAT_TAKEN_M, SITTING_EYES_M, xyz } from "@stoa/aframe/meaning";
import {
  type Motion,
  type Mover,
  type Quaternion,
  rotated,
  type SceneObject,
  type SceneSession,
  type Vector3,
} from "@stoa/client";
import { PARENTS_MAX } from "../limits.ts";
import { quaternionOf } from "../scene/rotation.ts";
import { turnedBy, type Viewpoint, yawTowards } from "./geometry.ts";

/** A pose with scale, in scene space or relative to a parent. */
interface ScaledPose {
  readonly position: Vector3;
  readonly rotation: Quaternion;
  readonly scale: Vector3;
}

const SCENE_ORIGIN: ScaledPose = { position: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] };

/** A seat on an object: offset of the sitting position and direction of view, relative to the object. */
export interface SittingOffset {
  readonly offset: Vector3;
  readonly facingRad: number;
}

/** Follows the motion plane of one session and answers where people, objects and seats are. */
export class PositionTracker {
  readonly #session: Pick<SceneSession, "objects" | "people" | "me"> & { readonly motion: Motion };
  readonly #moved = new Map<string, Vector3>();
  readonly #stop: () => void;

  constructor(session: SceneSession) {
    this.#session = session;
    this.#stop = session.motion.follow({
      onEntered: () => undefined,
      onMoved: (mover, _at, [x = 0, y = 0, z = 0]) => void this.#moved.set(keyOf(mover), [x, y, z]),
      onLeft: (mover) => void this.#moved.delete(keyOf(mover)),
    });
  }

  stop(): void {
    this.#stop();
  }

  /** Position of a person's eyes; `undefined` for a person outside of the interest set or without a pose yet. */
  eyesOf(idTag: string): Vector3 | undefined {
    const moved = this.#moved.get(keyOf({ kind: "head", name: idTag }));
    if (moved !== undefined || this.#session.motion.decides) return moved;
    return this.#session.people.get(idTag)?.pose?.position;
  }

  /** The position of an object in the scene. */
  objectPosition(objectId: string): Vector3 | undefined {
    const object = this.#session.objects.get(objectId);
    return object === undefined ? undefined : this.#poseOf(object, PARENTS_MAX)?.position;
  }

  /** The eye position and yaw of a person who sits on the object. */
  seat(objectId: string, { offset, facingRad }: SittingOffset): Viewpoint | undefined {
    const object = this.#session.objects.get(objectId);
    const on = object === undefined ? undefined : this.#poseOf(object, PARENTS_MAX);
    if (on === undefined) return undefined;
    const [x, y, z] = within(on, { ...SCENE_ORIGIN, position: offset }).position;
    const [ahead, , aside] = rotated([-Math.sin(facingRad), 0, -Math.cos(facingRad)], on.rotation);
    return { position: [x, y + SITTING_EYES_M, z], yawRad: yawTowards(ahead, aside) };
  }

  /** Whether another person occupies the position. */
  isTaken([x, y, z]: Vector3): boolean {
    for (const idTag of this.#session.people.keys()) {
      const [hx, hy, hz] = this.eyesOf(idTag) ?? [Number.POSITIVE_INFINITY, 0, 0];
      if (Math.hypot(hx - x, hz - z) < SEAT_TAKEN_M && Math.abs(hy - y) < SITTING_EYES_M) return true;
    }
    return false;
  }

  #poseOf({ objectId, attributes }: SceneObject, depth: number): ScaledPose | undefined {
    if (depth === 0) return undefined;
    const own = localPose(attributes);
    const moved = this.#moved.get(keyOf({ kind: "object", name: objectId }));
    const { parent } = attributes;
    if (typeof parent !== "string" || parent === "") return moved === undefined ? own : { ...own, position: moved };
    const outer = this.#space(parent, depth);
    return outer && within(outer, own);
  }

  #space(parent: string, depth: number): ScaledPose | undefined {
    const object = this.#session.objects.get(parent);
    if (object !== undefined) return this.#poseOf(object, depth - 1);
    const position = this.eyesOf(parent);
    if (position !== undefined) return { ...SCENE_ORIGIN, position };
    // An object whose parent doesn't exist isn't drawn either.
    return undefined;
  }
}

function keyOf({ kind, name }: Mover): string {
  return `${kind} ${name}`;
}

function localPose(attributes: SceneObject["attributes"]): ScaledPose {
  const [position, scale] = [xyz(attributes.position), xyz(attributes.scale, 1)];
  return {
    position: position ? [position.x, position.y, position.z] : SCENE_ORIGIN.position,
    rotation: rotationOf(attributes.rotation),
    scale: scale ? [scale.x, scale.y, scale.z] : SCENE_ORIGIN.scale,
  };
}

function rotationOf(value: unknown): Quaternion {
  const w = finite(bag(value)?.w);
  const at = xyz(value);
  if (at === undefined) return SCENE_ORIGIN.rotation;
  if (w === undefined) return quaternionOf([at.x, at.y, at.z]);
  const length = Math.hypot(at.x, at.y, at.z, w);
  return length === 0 ? SCENE_ORIGIN.rotation : [at.x / length, at.y / length, at.z / length, w / length];
}

function within(outer: ScaledPose, inner: ScaledPose): ScaledPose {
  const [x, y, z] = inner.position;
  const stretched: Vector3 = [x * outer.scale[0], y * outer.scale[1], z * outer.scale[2]];
  const [dx, dy, dz] = rotated(stretched, outer.rotation);
  return {
    position: [outer.position[0] + dx, outer.position[1] + dy, outer.position[2] + dz],
    rotation: turnedBy(outer.rotation, inner.rotation),
    scale: [outer.scale[0] * inner.scale[0], outer.scale[1] * inner.scale[1], outer.scale[2] * inner.scale[2]],
  };
}
