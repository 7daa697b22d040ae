/**
 * Smooths the steps of objects that scene messages move. Belongs on the entity that contains all objects. Page:
 * docs/components/stoa-glide.md
 */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import type { Clock } from "../clock.ts";
import { GLIDE_M_MAX, GLIDE_MS, GLIDE_RAD_MIN } from "../limits.ts";

interface GlidePath {
  readonly beganMs: number;
  readonly fromPosition: Three.Vector3;
  readonly fromRotation: Three.Quaternion;
  readonly toPosition: Three.Vector3;
  readonly toRotation: Three.Quaternion;
  readonly moves: boolean;
  readonly turns: boolean;
}

/** All gliding objects. */
export class SceneGlideBehaviour implements Behaviour<unknown> {
  readonly #glides = new Map<Three.Object3D, GlidePath>();
  readonly #now: Clock;

  constructor(now: Clock) {
    this.#now = now;
  }

  /** Runs `change` and animates the resulting movement over `GLIDE_MS`. A long distance is a jump. */
  smooth(object: Three.Object3D, change: () => void): void {
    const fromPosition = object.position.clone();
    const fromRotation = object.quaternion.clone();
    const before = this.#glides.get(object);
    if (before) setPose(object, before.toPosition, before.toRotation);
    change();
    const isNew = !before || !isAt(object, before.toPosition, before.toRotation);
    const path = isNew ? this.#pathFrom(object, fromPosition, fromRotation) : before;
    if (path) setPose(object, fromPosition, fromRotation);
    if (path) this.#glides.set(object, path);
    else this.#glides.delete(object);
  }

  /** Cancels an object's glide, because the user drags the object or it is being removed. */
  stop(object: Three.Object3D): void {
    this.#glides.delete(object);
  }

  tick(): void {
    const nowMs = this.#now();
    for (const [object, path] of this.#glides) {
      const part = Math.min(1, Math.max(0, (nowMs - path.beganMs) / GLIDE_MS));
      if (path.moves) object.position.lerpVectors(path.fromPosition, path.toPosition, part);
      if (path.turns) object.quaternion.slerpQuaternions(path.fromRotation, path.toRotation, part);
      if (part === 1) this.#glides.delete(object);
    }
  }

  remove(): void {
    this.#glides.clear();
  }

  #pathFrom(object: Three.Object3D, fromPosition: Three.Vector3, fromRotation: Three.Quaternion): GlidePath | null {
    const moves = !object.position.equals(fromPosition);
    const turns = object.quaternion.angleTo(fromRotation) > GLIDE_RAD_MIN;
    if (!(moves || turns) || object.position.distanceTo(fromPosition) > GLIDE_M_MAX) return null;
    const [toPosition, toRotation] = [object.position.clone(), object.quaternion.clone()];
    return { beganMs: this.#now(), fromPosition, fromRotation, toPosition, toRotation, moves, turns };
  }
}

function setPose(object: Three.Object3D, position: Three.Vector3, rotation: Three.Quaternion): void {
  object.position.copy(position);
  object.quaternion.copy(rotation);
}

function isAt(object: Three.Object3D, position: Three.Vector3, rotation: Three.Quaternion): boolean {
  return object.position.equals(position) && object.quaternion.angleTo(rotation) <= GLIDE_RAD_MIN;
}

/** Registers `stoa-glide`. */
export function registerGlide(aframe: AFrameAdapter, now: Clock): void {
  aframe.registerComponent<object, SceneGlideBehaviour>({
    name: "stoa-glide",
    schema: {},
    create: (_el: Entity) => new SceneGlideBehaviour(now),
  });
}
