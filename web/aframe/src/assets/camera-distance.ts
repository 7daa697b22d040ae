/** How far something is from the eyes. */
import type { AFrame, Entity, Three } from "../aframe.ts";

/** Of one entity. */
export class CameraDistance {
  readonly #el: Entity;
  readonly #here: Three.Vector3;
  readonly #eyes: Three.Vector3;

  constructor({ THREE }: AFrame, el: Entity) {
    this.#el = el;
    this.#here = new THREE.Vector3();
    this.#eyes = new THREE.Vector3();
  }

  /** In metres; 0 while there are none. Allocates nothing. */
  get metres(): number {
    const camera = this.#el.sceneEl?.camera;
    if (!camera) return 0;
    return this.#el.object3D.getWorldPosition(this.#here).distanceTo(camera.getWorldPosition(this.#eyes));
  }
}
