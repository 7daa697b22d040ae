/** Derives collision shapes from rendered geometry. Metres along the object's own axes, at the scene's scale. */
import type { AFrameAdapter, Entity, Three } from "../aframe.ts";
import { COLLIDER_TRIANGLES_MAX, HULL_CORNERS_MAX } from "../limits.ts";
import type { BodySettings } from "../mapping/body-settings.ts";
import type { Xyz } from "../values.ts";

/** A collision shape. */
export type CollisionShape =
  | { readonly kind: "box"; readonly half: Xyz; readonly center: Xyz }
  | { readonly kind: "ball"; readonly radius: number }
  | { readonly kind: "cylinder"; readonly halfHeight: number; readonly radius: number }
  | { readonly kind: "hull"; readonly corners: Float32Array }
  | { readonly kind: "mesh"; readonly corners: Float32Array; readonly triangles: Uint32Array };

/** Smallest thickness: bodies would tunnel through thinner shapes. */
const THIN_M = 0.005;

/** The shape of an object as currently rendered; `undefined` while nothing is rendered. */
export function shapeOf(
  aframe: AFrameAdapter,
  el: Entity,
  { type, highPrecision }: BodySettings,
): CollisionShape | undefined {
  const { THREE } = aframe;
  const drawn = el.getObject3D("mesh");
  if (!drawn) return undefined;
  el.object3D.updateWorldMatrix(true, true);
  const scale = el.object3D.getWorldScale(new THREE.Vector3());
  const plain = plainShape(THREE, drawn, scale);
  if (plain) return plain;
  const box = new THREE.Box3();
  const { corners, triangles } = trianglesOf(aframe, el, scale, box);
  if (box.isEmpty()) return undefined;
  const isStill = type !== "dynamic";
  if ((isStill || highPrecision) && triangles.length > 0) {
    // A moving triangle mesh would have no volume, so its convex hull is used.
    if (isStill) return { kind: "mesh", corners, triangles };
    if (corners.length >= 12) return { kind: "hull", corners: thinned(corners) };
  }
  return boxOf(box.getSize(new THREE.Vector3()), box.getCenter(new THREE.Vector3()));
}

function boxOf(size: Xyz, center: Xyz): CollisionShape {
  const half = (length: number): number => Math.max(Math.abs(length), THIN_M) / 2;
  return { kind: "box", half: { x: half(size.x), y: half(size.y), z: half(size.z) }, center: { ...xyzOf(center) } };
}

function xyzOf({ x, y, z }: Xyz): Xyz {
  return { x, y, z };
}

/** Primitives that Rapier supports: spheres and cylinders only if the scale keeps them round. */
function plainShape(THREE: AFrameAdapter["THREE"], drawn: Three.Object3D, scale: Xyz): CollisionShape | undefined {
  if (!(drawn instanceof THREE.Mesh)) return undefined;
  const geometry: unknown = drawn.geometry;
  const [x, y, z] = [Math.abs(scale.x), Math.abs(scale.y), Math.abs(scale.z)];
  const isRound = Math.abs(x - z) < 1e-3 * x;
  if (geometry instanceof THREE.BoxGeometry) {
    const { width, height, depth } = geometry.parameters;
    return boxOf({ x: width * x, y: height * y, z: depth * z }, { x: 0, y: 0, z: 0 });
  }
  if (geometry instanceof THREE.SphereGeometry && isRound && Math.abs(x - y) < 1e-3 * x) {
    return { kind: "ball", radius: Math.max(geometry.parameters.radius * x, THIN_M) };
  }
  if (!(geometry instanceof THREE.CylinderGeometry) || !isRound) return undefined;
  const { radiusTop, radiusBottom, height } = geometry.parameters;
  if (radiusTop !== radiusBottom) return undefined;
  return { kind: "cylinder", halfHeight: Math.max((height * y) / 2, THIN_M), radius: Math.max(radiusTop * x, THIN_M) };
}

/**
 * The triangles of an object's meshes, along its own axes and at the scene's scale; none if they exceed the limit. Writes the bounding box of all meshes to `box`.
 */
function trianglesOf(
  { THREE }: AFrameAdapter,
  el: Entity,
  scale: Three.Vector3,
  box: Three.Box3,
): { corners: Float32Array; triangles: Uint32Array } {
  const toOwn = el.object3D.matrixWorld.clone().invert();
  const [corners, triangles]: [number[], number[]] = [[], []];
  const at = new THREE.Vector3();
  const place = new THREE.Matrix4();
  let isWithin = true;
  el.getObject3D("mesh")?.traverse((object) => {
    if (!(object instanceof THREE.Mesh)) return;
    place.multiplyMatrices(toOwn, object.matrixWorld);
    const geometry: Three.BufferGeometry = object.geometry;
    const positions = geometry.getAttribute("position");
    const count = geometry.index?.count ?? positions.count;
    const first = corners.length / 3;
    isWithin &&= (triangles.length + count) / 3 <= COLLIDER_TRIANGLES_MAX;
    for (let corner = 0; corner < positions.count; corner += 1) {
      at.fromBufferAttribute(positions, corner).applyMatrix4(place).multiply(scale);
      box.expandByPoint(at);
      if (isWithin) corners.push(at.x, at.y, at.z);
    }
    if (!isWithin) return;
    for (let corner = 0; corner < count; corner += 1) triangles.push(first + (geometry.index?.getX(corner) ?? corner));
  });
  if (!isWithin) return { corners: new Float32Array(), triangles: new Uint32Array() };
  return { corners: Float32Array.from(corners), triangles: Uint32Array.from(triangles) };
}

function thinned(corners: Float32Array): Float32Array {
  const every = Math.ceil(corners.length / 3 / HULL_CORNERS_MAX);
  return every <= 1 ? corners : corners.filter((_, at) => Math.floor(at / 3) % every === 0);
}
