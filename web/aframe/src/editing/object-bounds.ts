/** Bounds of the scene's objects, used to find free space for new ones. */
import type { Entity, Three } from "../aframe.ts";
import type { Xyz } from "../values.ts";

/** An axis-aligned bounding box in scene space, in metres. */
export interface Body {
  readonly min: Xyz;
  readonly max: Xyz;
}

/** The bounds of the objects' own meshes, without attached objects; objects without a mesh are omitted. */
export function boundsOf(THREE: typeof Three, els: Iterable<Entity>): readonly Body[] {
  const bodies: Body[] = [];
  const box = new THREE.Box3();
  for (const el of els) {
    const mesh = el.getObject3D("mesh");
    if (!mesh) continue;
    mesh.updateWorldMatrix(true, false);
    box.setFromObject(mesh);
    const { min, max } = box;
    if (!box.isEmpty()) bodies.push({ min: { x: min.x, y: min.y, z: min.z }, max: { x: max.x, y: max.y, z: max.z } });
  }
  return bodies;
}
