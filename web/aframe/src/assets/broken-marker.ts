/** The marker of a broken file: a wireframe box with diagonals, unlike anything that belongs to a scene. */
import type { AFrameAdapter, Three } from "../aframe.ts";
import { BROKEN_APART_M, BROKEN_SIZE_M } from "../limits.ts";

const COLOR = "#e5484d";

/**
 * Diagonals through the centre and across each side, as pairs of box corners. A corner's bits say on which axes it is
 * at the maximum.
 */
const THROUGH: readonly (readonly [number, number])[] = [0, 1, 2, 3].map((at) => [at, 7 - at]);
const ON_SIDES = [3, 5, 6].flatMap((across) =>
  [0, 1, 2, 3, 4, 5, 6, 7].filter((at) => at < (at ^ across)).map((at) => [at, at ^ across] as const),
);

/** A marker around the object's position, or around its `body`: inside a body the lines would be hidden. */
export function brokenMarker(aframe: AFrameAdapter, body?: Three.Object3D): Three.Object3D {
  const { THREE } = aframe;
  const around = bodyBox(aframe, body);
  const half = BROKEN_SIZE_M / 2;
  const { min, max } =
    around ?? new THREE.Box3(new THREE.Vector3(-half, -half, -half), new THREE.Vector3(half, half, half));
  const corner = (at: number) =>
    new THREE.Vector3(at & 1 ? max.x : min.x, at & 2 ? max.y : min.y, at & 4 ? max.z : min.z);
  const { x, y, z } = corner(7).sub(corner(0));
  const edges = new THREE.EdgesGeometry(new THREE.BoxGeometry(x, y, z));
  edges.translate((min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2);
  // Diagonals through a body would be hidden; those on its sides are visible.
  const crossed = around === null ? THROUGH : ON_SIDES;
  const diagonals = crossed.flatMap(([from, to]) => [corner(from), corner(to)]);
  const group = new THREE.Group();
  for (const geometry of [edges, new THREE.BufferGeometry().setFromPoints(diagonals)]) {
    const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: COLOR, fog: false }));
    // Raycasts should hit the body: lines are hit from a metre away.
    if (around !== null) lines.raycast = () => undefined;
    group.add(lines);
  }
  return group;
}

function bodyBox({ THREE }: AFrameAdapter, body: Three.Object3D | undefined): Three.Box3 | null {
  if (!(body instanceof THREE.Mesh)) return null;
  body.geometry.computeBoundingBox();
  const box: Three.Box3 | null = body.geometry.boundingBox;
  return box === null || box.isEmpty() ? null : box.clone().expandByScalar(BROKEN_APART_M);
}
