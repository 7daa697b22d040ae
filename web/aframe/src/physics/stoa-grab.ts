/** Lets people grab a body: ARENA's `physx-grabbable`. Page: docs/components/stoa-grab.md */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import type { Clock } from "../clock.ts";
import { HOLD_SAID_MS } from "../limits.ts";
import type { CapturedPress } from "../pressing/stoa-pointer.ts";
import { type GrabEvent, limitedThrow } from "./grabbed-bodies.ts";

/** Event of the user's grab; its detail is a `GrabEvent`. */
export const HOLD = "stoa-hold";

/** Writes the pose of the grabbing hand; false for mouse or touch, which have only a ray. */
export type GrabbingHandPoseReader = (position: Three.Vector3, rotation: Three.Quaternion) => boolean;

/** One grabbable body. */
export class GrabBehaviour implements Behaviour<unknown> {
  readonly #el: Entity;
  readonly #now: Clock;
  readonly #position: Three.Vector3;
  readonly #rotation: Three.Quaternion;
  /** Pose of the body relative to the hand; without a hand, its offset from the hit point. */
  readonly #offset: Three.Vector3;
  readonly #offsetTurn: Three.Quaternion;
  readonly #hand: Three.Vector3;
  readonly #handTurn: Three.Quaternion;
  readonly #before: Three.Vector3;
  readonly #velocity: Three.Vector3;
  #isHeld = false;
  #isByHand = false;
  #distanceM = 0;
  #movedMs = 0;
  #emittedMs = Number.NEGATIVE_INFINITY;

  constructor(aframe: AFrameAdapter, el: Entity, now: Clock) {
    const { THREE } = aframe;
    this.#el = el;
    this.#now = now;
    [this.#position, this.#offset, this.#hand] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    [this.#before, this.#velocity] = [new THREE.Vector3(), new THREE.Vector3()];
    [this.#rotation, this.#offsetTurn, this.#handTurn] = [
      new THREE.Quaternion(),
      new THREE.Quaternion(),
      new THREE.Quaternion(),
    ];
  }

  /**
   * Grabs the body for the duration of the press, at a constant distance along the ray or rigidly attached to the
   * hand.
   */
  take(ray: Three.Ray, point: Three.Vector3, hand: GrabbingHandPoseReader): CapturedPress {
    const { object3D } = this.#el;
    object3D.updateWorldMatrix(true, false);
    object3D.getWorldPosition(this.#position);
    object3D.getWorldQuaternion(this.#rotation);
    this.#isByHand = hand(this.#hand, this.#handTurn);
    if (this.#isByHand) {
      const back = this.#handTurn.clone().invert();
      this.#offset.copy(this.#position).sub(this.#hand).applyQuaternion(back);
      this.#offsetTurn.copy(back).multiply(this.#rotation);
    } else {
      this.#distanceM = point.distanceTo(ray.origin);
      this.#offset.copy(this.#position).sub(point);
    }
    this.#before.copy(this.#position);
    this.#velocity.set(0, 0, 0);
    this.#movedMs = this.#now();
    this.#isHeld = true;
    this.#emitHold("start");
    return {
      move: (moved) => this.#follow(moved, hand),
      end: () => {
        this.#isHeld = false;
        this.#emitHold("end");
      },
    };
  }

  /** Repeats the target pose while the mouse rests: a silent holder counts as having released the body. */
  tick(): void {
    if (this.#isHeld && this.#now() - this.#emittedMs >= HOLD_SAID_MS) this.#emitHold("move");
  }

  remove(): void {
    // The simulating page releases a removed body after `HOLD_SILENCE_MS`.
  }

  #follow(ray: Three.Ray, hand: GrabbingHandPoseReader): void {
    if (this.#isByHand && hand(this.#hand, this.#handTurn)) {
      this.#position.copy(this.#offset).applyQuaternion(this.#handTurn).add(this.#hand);
      this.#rotation.copy(this.#handTurn).multiply(this.#offsetTurn);
    } else if (!this.#isByHand) ray.at(this.#distanceM, this.#position).add(this.#offset);
    const nowMs = this.#now();
    const seconds = (nowMs - this.#movedMs) / 1_000;
    if (seconds > 0.01) {
      // Smooths the velocity: hands tremble, and one frame alone isn't a throw.
      this.#before.sub(this.#position).multiplyScalar(-1 / seconds);
      this.#velocity.lerp(this.#before, 0.5);
      this.#before.copy(this.#position);
      this.#movedMs = nowMs;
    }
    if (nowMs - this.#emittedMs >= HOLD_SAID_MS) this.#emitHold("move");
  }

  #emitHold(phase: GrabEvent["phase"]): void {
    this.#emittedMs = this.#now();
    const { x, y, z } = this.#position;
    const { x: qx, y: qy, z: qz, w: qw } = this.#rotation;
    // A hand that is still at the end drops the body.
    const isStill = this.#emittedMs - this.#movedMs > HOLD_SAID_MS;
    const news: GrabEvent = {
      ...{ phase, objectId: this.#el.dataset.objectId ?? "" },
      pose: Float64Array.of(x, y, z, qx, qy, qz, qw),
      velocity: isStill || phase !== "end" ? { x: 0, y: 0, z: 0 } : limitedThrow(this.#velocity),
    };
    this.#el.emit(HOLD, news, true);
  }
}

/** Registers `stoa-grab`. */
export function registerGrab(aframe: AFrameAdapter, now: Clock): void {
  aframe.registerComponent<object, GrabBehaviour>({
    name: "stoa-grab",
    schema: {},
    create: (el) => new GrabBehaviour(aframe, el, now),
  });
}
