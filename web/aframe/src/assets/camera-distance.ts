/** Measures an entity's distance from the camera, for load priorities, without allocating. */
import type { AFrameAdapter, Entity, Three } from "../aframe.ts";

/** The camera distance of one entity. */
export class CameraDistance {
  readonly #el: Entity;
  readonly #here: Three.Vector3;
  readonly #eyes: Three.Vector3;

  constructor({ THREE }: AFrameAdapter, el: Entity) {
    this.#el = el;
    this.#here = new THREE.Vector3();
    this.#eyes = new THREE.Vector3();
  }

  /** The entity's distance from the camera in metres; 0 without a camera. Allocates nothing. */
  get metres(): number {
    const camera = this.#el.sceneEl?.camera;
    if (!camera) return 0;
    return this.#el.object3D.getWorldPosition(this.#here).distanceTo(camera.getWorldPosition(this.#eyes));
  }
}
