/**
 * Draws shapes of equal appearance in one call, as one growing `BatchedMesh`. `stoa-batches` decides which shapes
 * join.
 */
import type { AFrameAdapter, Three } from "../aframe.ts";
import type { PlainMesh } from "./batch-key.ts";

/** Initial capacity of a batch; it doubles when full. */
const FIRST = { shapes: 32, vertices: 4_096, indices: 16_384 } as const;

interface BatchedGeometry {
  readonly id: number;
  users: number;
}

/** All shapes of one appearance as one mesh. three.js draws it in one call and culls each shape. */
export class Batch {
  readonly mesh: Three.BatchedMesh;
  readonly #geometries = new Map<Three.BufferGeometry, BatchedGeometry>();
  readonly #capacity = { ...FIRST };
  readonly #parent: Three.Object3D;

  /**
   * Clones the material of `first`, in white: each instance sets its own colour. The batch becomes a child of `parent`,
   * which must not move.
   */
  constructor(aframe: AFrameAdapter, parent: Three.Object3D, first: PlainMesh) {
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
    this.#parent = parent;
    parent.add(this.mesh);
  }

  get isEmpty(): boolean {
    return this.mesh.instanceCount === 0;
  }

  /** Adds a shape. Returns its instance id. */
  add({ geometry }: PlainMesh): number {
    const batched = this.#geometries.get(geometry) ?? this.#addGeometry(geometry);
    batched.users += 1;
    if (this.mesh.instanceCount === this.#capacity.shapes) {
      this.#capacity.shapes *= 2;
      this.mesh.setInstanceCount(this.#capacity.shapes);
    }
    return this.mesh.addInstance(batched.id);
  }

  /** Removes the instance of a shape with that geometry. */
  remove(number: number, geometry: Three.BufferGeometry): void {
    this.mesh.deleteInstance(number);
    const batched = this.#geometries.get(geometry);
    if (batched === undefined) return;
    batched.users -= 1;
    if (batched.users > 0) return;
    this.#geometries.delete(geometry);
    this.mesh.deleteGeometry(batched.id);
  }

  dispose(): void {
    this.#parent.remove(this.mesh);
    this.mesh.material.dispose();
    this.mesh.dispose();
  }

  #addGeometry(geometry: Three.BufferGeometry): BatchedGeometry {
    const [vertices, indices] = [geometry.attributes.position?.count ?? 0, geometry.index?.count ?? 0];
    const lacks = (): boolean =>
      this.mesh.unusedVertexCount < vertices || (indices > 0 && this.mesh.unusedIndexCount < indices);
    if (lacks()) this.mesh.optimize();
    if (lacks()) {
      while (this.#capacity.vertices < 2 * vertices) this.#capacity.vertices *= 2;
      while (this.#capacity.indices < 2 * indices) this.#capacity.indices *= 2;
      this.#capacity.vertices *= 2;
      this.#capacity.indices *= 2;
      this.mesh.setGeometrySize(this.#capacity.vertices, this.#capacity.indices);
    }
    const batched = { id: this.mesh.addGeometry(geometry), users: 0 };
    this.#geometries.set(geometry, batched);
    return batched;
  }
}
