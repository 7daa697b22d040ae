/**
 * A navigation mesh from a model: a user on its surface can't walk off it. The library `three-mesh-bvh` loads only in
 * scenes with a navigation mesh.
 */
import type { AFrameAdapter, Three } from "../aframe.ts";
import { NAV_TRIANGLES_MAX, STEP_DOWN_M, STEP_UP_M } from "../limits.ts";
import type { Xyz } from "../values.ts";
import type { Floor } from "./floor.ts";

/** Ray and proximity queries on the mesh. */
interface MeshQueries {
  cast(origin: Three.Vector3, down: Three.Vector3): Three.Intersection | null;
  /** Writes the nearest point of the mesh to `out`. Returns false if there is none. */
  closest(point: Three.Vector3, out: Three.Vector3): boolean;
}

/** A floor bounded by a mesh. */
export class NavMesh implements Floor {
  readonly #queries: MeshQueries;
  readonly #origin: Three.Vector3;
  readonly #down: Three.Vector3;

  constructor(aframe: AFrameAdapter, queries: MeshQueries) {
    this.#queries = queries;
    this.#origin = new aframe.THREE.Vector3();
    this.#down = new aframe.THREE.Vector3(0, -1, 0);
  }

  /** Slides along the edges of the mesh. A user who isn't on the mesh walks freely until they reach it. */
  step(from: Three.Vector3, to: Three.Vector3): void {
    if (this.#under(from.x, from.y, from.z) === null) {
      const found = this.#under(to.x, to.y, to.z);
      to.y = found ?? from.y;
      return;
    }
    const places = [
      [to.x, to.z],
      [to.x, from.z],
      [from.x, to.z],
    ] as const;
    for (const [x, z] of places) {
      const y = this.#under(x, from.y, z);
      if (y === null) continue;
      to.set(x, y, z);
      return;
    }
    to.copy(from);
  }

  landing(x: number, y: number, z: number): number | null {
    return this.#under(x, y, z);
  }

  nearest({ x, y, z }: Xyz, on: "nearest" | "level"): Xyz | null {
    const below = this.#under(x, y, z);
    if (below !== null) return { x, y: below, z };
    const found = this.#origin.clone();
    if (!this.#queries.closest(this.#origin.set(x, y, z), found)) return null;
    if (on === "level" && Math.abs(found.y - y) > STEP_DOWN_M) return null;
    return { x: found.x, y: found.y, z: found.z };
  }

  #under(x: number, y: number, z: number): number | null {
    const hit = this.#queries.cast(this.#origin.set(x, y + STEP_UP_M, z), this.#down);
    return hit !== null && hit.distance <= STEP_UP_M + STEP_DOWN_M ? hit.point.y : null;
  }
}

/** A floor from all meshes below `model`; `null` if there are none, or too many triangles. */
export async function navMeshOf(aframe: AFrameAdapter, model: Three.Object3D): Promise<NavMesh | null> {
  const { THREE } = aframe;
  const { MeshBVH } = await import("three-mesh-bvh");
  model.updateWorldMatrix(true, true);
  const trees: InstanceType<typeof MeshBVH>[] = [];
  let triangles = 0;
  model.traverse((part) => {
    if (!(part instanceof THREE.Mesh)) return;
    const from: Three.BufferGeometry = part.geometry;
    triangles += (from.index?.count ?? from.getAttribute("position").count) / 3;
    if (triangles <= NAV_TRIANGLES_MAX) trees.push(new MeshBVH(bareIn(aframe, from, part.matrixWorld)));
  });
  if (trees.length === 0 || triangles > NAV_TRIANGLES_MAX) return null;
  const ray = new THREE.Ray();
  const near = { point: new THREE.Vector3(), distance: 0, faceIndex: 0 };
  return new NavMesh(aframe, {
    closest(point, out) {
      let distance = Number.POSITIVE_INFINITY;
      for (const tree of trees) {
        if (tree.closestPointToPoint(point, near) === null || near.distance >= distance) continue;
        distance = near.distance;
        out.copy(near.point);
      }
      return Number.isFinite(distance);
    },
    cast(origin, direction) {
      ray.set(origin, direction);
      let nearest: Three.Intersection | null = null;
      for (const tree of trees) {
        const hit = tree.raycastFirst(ray, THREE.DoubleSide);
        if (hit && (nearest === null || hit.distance < nearest.distance)) nearest = hit;
      }
      return nearest;
    },
  });
}

/**
 * A copy that has only positions, in scene space. The BVH reorders the triangles of its geometry, and objects that show
 * the same file share the original.
 */
function bareIn(aframe: AFrameAdapter, geometry: Three.BufferGeometry, matrix: Three.Matrix4): Three.BufferGeometry {
  const bare = new aframe.THREE.BufferGeometry();
  bare.setAttribute("position", geometry.getAttribute("position").clone());
  bare.setIndex(geometry.index?.clone() ?? null);
  return bare.applyMatrix4(matrix);
}
