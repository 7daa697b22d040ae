/** Where the bodies of a scene are, so that what is new is put where none is. */
import type { Entity, Three } from "../aframe.ts";
import type { Xyz } from "../values.ts";

/** What a body reaches along the scene's axes, in metres. */
export interface Body {
  readonly min: Xyz;
  readonly max: Xyz;
}

/** The bodies of these objects themselves, without what hangs on them; what has none is left out. */
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
