/**
 * Smooths the steps of objects that other people move. Belongs on the entity that contains all objects. Page:
 * docs/components/stoa-glide.md
 */
import type { AFrame, Behaviour, Entity, Three } from "../aframe.ts";
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
export class Glide implements Behaviour<unknown> {
  readonly #ways = new Map<Three.Object3D, GlidePath>();
  readonly #now: Clock;

  constructor(now: Clock) {
    this.#now = now;
  }

  /** Runs `change` and animates the resulting movement over `GLIDE_MS`. A long distance is a jump. */
  smooth(object: Three.Object3D, change: () => void): void {
    const fromPosition = object.position.clone();
    const fromRotation = object.quaternion.clone();
    const before = this.#ways.get(object);
    if (before) place(object, before.toPosition, before.toRotation);
    change();
    const isNew = !before || !isAt(object, before.toPosition, before.toRotation);
    const way = isNew ? this.#way(object, fromPosition, fromRotation) : before;
    if (way) place(object, fromPosition, fromRotation);
    if (way) this.#ways.set(object, way);
    else this.#ways.delete(object);
  }

  /** Cancels an object's glide, because a hand took it or it is being removed. */
  stop(object: Three.Object3D): void {
    this.#ways.delete(object);
  }

  tick(): void {
    const nowMs = this.#now();
    for (const [object, way] of this.#ways) {
      const part = Math.min(1, Math.max(0, (nowMs - way.beganMs) / GLIDE_MS));
      if (way.moves) object.position.lerpVectors(way.fromPosition, way.toPosition, part);
      if (way.turns) object.quaternion.slerpQuaternions(way.fromRotation, way.toRotation, part);
      if (part === 1) this.#ways.delete(object);
    }
  }

  remove(): void {
    this.#ways.clear();
  }

  #way(object: Three.Object3D, fromPosition: Three.Vector3, fromRotation: Three.Quaternion): GlidePath | null {
    const moves = !object.position.equals(fromPosition);
    const turns = object.quaternion.angleTo(fromRotation) > GLIDE_RAD_MIN;
    if (!(moves || turns) || object.position.distanceTo(fromPosition) > GLIDE_M_MAX) return null;
    const [toPosition, toRotation] = [object.position.clone(), object.quaternion.clone()];
    return { beganMs: this.#now(), fromPosition, fromRotation, toPosition, toRotation, moves, turns };
  }
}

function place(object: Three.Object3D, position: Three.Vector3, rotation: Three.Quaternion): void {
  object.position.copy(position);
  object.quaternion.copy(rotation);
}

function isAt(object: Three.Object3D, position: Three.Vector3, rotation: Three.Quaternion): boolean {
  return object.position.equals(position) && object.quaternion.angleTo(rotation) <= GLIDE_RAD_MIN;
}

/** Registers `stoa-glide`. */
export function registerGlide(aframe: AFrame, now: Clock): void {
  aframe.registerComponent<object, Glide>({
    name: "stoa-glide",
    schema: {},
    create: (_el: Entity) => new Glide(now),
  });
}
