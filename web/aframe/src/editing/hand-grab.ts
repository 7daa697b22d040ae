/**
 * Moves objects held by hands. One hand moves and rotates, two hands scale as well. Independent of page and session.
 */
import type { AFrameAdapter, Entity, Three } from "../aframe.ts";
import { SCALE_FACTOR } from "../limits.ts";

/** The tracked pose of a hand. */
export type HandSpace = Three.Object3D;

interface CarriedEntity {
  readonly el: Entity;
  readonly began: Three.Matrix4;
}

/** A grab of the selected objects by one hand or both. */
export class SelectionGrab {
  readonly els: readonly Entity[];
  /** Whether both hands have held the objects; only then their scale changed. */
  wasSized = false;
  readonly #hands: HandSpace[] = [];
  readonly #carried: readonly CarriedEntity[];
  readonly #began: Three.Matrix4;
  readonly #frame: Three.Matrix4;
  readonly #change: Three.Matrix4;
  readonly #place: Three.Vector3;
  readonly #side: Three.Vector3;
  readonly #up: Three.Vector3;
  readonly #back: Three.Vector3;

  constructor({ THREE }: AFrameAdapter, els: readonly Entity[]) {
    this.els = els;
    this.#carried = els.map((el) => ({ el, began: new THREE.Matrix4() }));
    this.#began = new THREE.Matrix4();
    this.#frame = new THREE.Matrix4();
    this.#change = new THREE.Matrix4();
    this.#place = new THREE.Vector3();
    this.#side = new THREE.Vector3();
    this.#up = new THREE.Vector3();
    this.#back = new THREE.Vector3();
  }

  /** Number of holding hands. */
  get hands(): number {
    return this.#hands.length;
  }

  /** Adds a hand; false for a third hand or a hand that already holds. */
  hold(hand: HandSpace): boolean {
    if (this.#hands.length >= 2 || this.#hands.includes(hand)) return false;
    this.#hands.push(hand);
    this.wasSized ||= this.#hands.length === 2;
    this.#begin();
    return true;
  }

  /** Removes a hand; false while the other still holds. */
  release(hand: HandSpace): boolean {
    const at = this.#hands.indexOf(hand);
    if (at >= 0) this.#hands.splice(at, 1);
    if (this.#hands.length > 0) this.#begin();
    return this.#hands.length === 0;
  }

  /**
   * Applies the hands' movement to all objects, snapped to a grid if there is one. Runs in each frame and allocates
   * nothing.
   */
  move(gridM = 0): void {
    if (this.#hands.length === 0) return;
    this.#read(this.#frame);
    this.#change.copy(this.#began).invert().premultiply(this.#frame);
    for (const { el, began } of this.#carried) {
      const { object3D } = el;
      object3D.matrix.multiplyMatrices(this.#change, began);
      const { parent } = object3D;
      // `#frame` is reused as the inverse of the parent's matrix.
      if (parent) object3D.matrix.premultiply(this.#frame.copy(parent.matrixWorld).invert());
      object3D.matrix.decompose(object3D.position, object3D.quaternion, object3D.scale);
      if (gridM > 0) object3D.position.divideScalar(gridM).round().multiplyScalar(gridM);
      object3D.updateMatrix();
    }
  }

  /** Restarts the movement from the current poses, because a hand was added or removed. */
  #begin(): void {
    this.#read(this.#began);
    for (const { el, began } of this.#carried) {
      el.object3D.updateWorldMatrix(true, false);
      began.copy(el.object3D.matrixWorld);
    }
  }

  /**
   * The frame of one hand, or of two: centred between them, with an axis from one to the other, scaled by their
   * distance.
   */
  #read(into: Three.Matrix4): void {
    const [one, other] = this.#hands;
    if (!one) return;
    one.updateWorldMatrix(true, false);
    if (!other) {
      into.copy(one.matrixWorld);
      return;
    }
    other.updateWorldMatrix(true, false);
    this.#place.setFromMatrixPosition(one.matrixWorld);
    this.#side.setFromMatrixPosition(other.matrixWorld);
    this.#place.lerp(this.#side, 0.5);
    this.#side.sub(this.#place);
    const apartM = Math.max(this.#side.length(), SCALE_FACTOR.min);
    this.#side.normalize();
    this.#up.setFromMatrixColumn(one.matrixWorld, 1);
    this.#back.setFromMatrixColumn(other.matrixWorld, 1);
    this.#up.add(this.#back);
    this.#back.crossVectors(this.#side, this.#up);
    // Hands with opposite up axes define no up direction: use any direction across the line between the hands.
    if (this.#back.lengthSq() < 1e-6) this.#back.set(this.#side.y, this.#side.z, this.#side.x).cross(this.#side);
    this.#back.normalize();
    this.#up.crossVectors(this.#back, this.#side);
    into.makeBasis(
      this.#side.multiplyScalar(apartM),
      this.#up.multiplyScalar(apartM),
      this.#back.multiplyScalar(apartM),
    );
    into.setPosition(this.#place);
  }
}
