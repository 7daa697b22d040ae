/** Shapes of equal appearance in one draw call. */
import type { AFrame, Three } from "../aframe.ts";
import type { PlainMesh } from "./batch-key.ts";

/** Initial capacity of a batch; it doubles when full. */
const FIRST = { shapes: 32, vertices: 4_096, indices: 16_384 } as const;

interface Form {
  readonly id: number;
  users: number;
}

/** All shapes of one appearance as one mesh. three.js draws it in one call and culls each shape. */
export class Batch {
  readonly mesh: Three.BatchedMesh;
  readonly #forms = new Map<Three.BufferGeometry, Form>();
  readonly #room = { ...FIRST };
  readonly #space: Three.Object3D;

  /** Takes appearance from `first`, in white. `space` is the parent and must not move. */
  constructor(aframe: AFrame, space: Three.Object3D, first: PlainMesh) {
    const { shapes, vertices, indices } = FIRST;
    const material = first.material.clone();
    material.color.set("#ffffff");
    this.mesh = new aframe.THREE.BatchedMesh(shapes, vertices, indices, material);
    this.mesh.castShadow = first.castShadow;
    this.mesh.receiveShadow = first.receiveShadow;
    this.mesh.frustumCulled = false;
    this.mesh.sortObjects = false;
    // Raycasts hit the original shapes.
    this.mesh.raycast = () => undefined;
    this.#space = space;
    space.add(this.mesh);
  }

  get isEmpty(): boolean {
    return this.mesh.instanceCount === 0;
  }

  /** Adds a shape. Returns its instance id. */
  add({ geometry }: PlainMesh): number {
    const form = this.#forms.get(geometry) ?? this.#learn(geometry);
    form.users += 1;
    if (this.mesh.instanceCount === this.#room.shapes) {
      this.#room.shapes *= 2;
      this.mesh.setInstanceCount(this.#room.shapes);
    }
    return this.mesh.addInstance(form.id);
  }

  /** Removes the instance of a shape with that geometry. */
  remove(number: number, geometry: Three.BufferGeometry): void {
    this.mesh.deleteInstance(number);
    const form = this.#forms.get(geometry);
    if (form === undefined) return;
    form.users -= 1;
    if (form.users > 0) return;
    this.#forms.delete(geometry);
    this.mesh.deleteGeometry(form.id);
  }

  dispose(): void {
    this.#space.remove(this.mesh);
    this.mesh.material.dispose();
    this.mesh.dispose();
  }

  #learn(geometry: Three.BufferGeometry): Form {
    const [vertices, indices] = [geometry.attributes.position?.count ?? 0, geometry.index?.count ?? 0];
    const lacks = (): boolean =>
      this.mesh.unusedVertexCount < vertices || (indices > 0 && this.mesh.unusedIndexCount < indices);
    if (lacks()) this.mesh.optimize();
    if (lacks()) {
      while (this.#room.vertices < 2 * vertices) this.#room.vertices *= 2;
      while (this.#room.indices < 2 * indices) this.#room.indices *= 2;
      this.#room.vertices *= 2;
      this.#room.indices *= 2;
      this.mesh.setGeometrySize(this.#room.vertices, this.#room.indices);
    }
    const form = { id: this.mesh.addGeometry(geometry), users: 0 };
    this.#forms.set(geometry, form);
    return form;
  }
}
