/** What stands where a file could not be shown: a box of lines with its diagonals, so that it is taken for nothing that belongs there. */
import type { AFrame, Three } from "../aframe.ts";
import { BROKEN_SIZE_M } from "../limits.ts";

const COLOR = "#e5484d";

/** A marker around the object's place. */
export function brokenMarker({ THREE }: AFrame): Three.Object3D {
  const half = BROKEN_SIZE_M / 2;
  const corner = (at: number) =>
    new THREE.Vector3(at & 1 ? half : -half, at & 2 ? half : -half, at & 4 ? half : -half);
  const edges = new THREE.EdgesGeometry(new THREE.BoxGeometry(BROKEN_SIZE_M, BROKEN_SIZE_M, BROKEN_SIZE_M));
  const diagonals = [0, 1, 2, 3].flatMap((at) => [corner(at), corner(7 - at)]);
  const group = new THREE.Group();
  for (const geometry of [edges, new THREE.BufferGeometry().setFromPoints(diagonals)]) {
    group.add(new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: COLOR, fog: false })));
  }
  return group;
}
