/**
 * Reads a plain shape's appearance as numbers. Shapes with equal numbers share a batch; colour, pose and geometry
 * may differ.
 */
import type { Three } from "../aframe.ts";
import { BATCHED_VERTICES_MAX } from "../limits.ts";

/** Count of numbers in a key. */
export const BATCH_KEY_LENGTH = 13;

/** Texture slots of materials: a shape with a texture can't be batched. */
const MAPS = [
  "map",
  "alphaMap",
  "aoMap",
  "bumpMap",
  "displacementMap",
  "emissiveMap",
  "envMap",
  "lightMap",
  "metalnessMap",
  "normalMap",
  "roughnessMap",
  "specularMap",
] as const;

/**
 * A single-colour material of A-Frame's shaders or of the matte shader. The matte and the flat material lack some of
 * these properties.
 */
export interface PlainMaterial extends Three.Material {
  readonly color: Three.Color;
  readonly emissive?: Three.Color;
  readonly emissiveIntensity?: number;
  readonly metalness?: number;
  readonly roughness?: number;
  readonly envMapIntensity?: number;
  readonly flatShading?: boolean;
  readonly fog?: boolean;
  readonly wireframe?: boolean;
}

export type PlainMesh = Three.Mesh<Three.BufferGeometry, PlainMaterial>;

/** three.js's `NormalBlending`. */
const NORMAL_BLENDING = 1;

/**
 * Writes a shape's key `into` the array. Returns `false` for a shape that can't be batched, such as a transparent,
 * mirrored, textured or large one. Runs for at least a quarter of all shapes in each frame, so it allocates nothing.
 */
export function readBatchKey(mesh: PlainMesh, into: Float64Array): boolean {
  const { geometry, material } = mesh;
  const kind = kindOf(material);
  if (kind === 0 || !isPlain(material) || !isPlainForm(geometry)) return false;
  if (mesh.children.length > 0 || mesh.renderOrder !== 0) return false;
  // A batch has one front face winding.
  if (mesh.matrixWorld.determinant() < 0) return false;
  into[0] = kind;
  into[1] = material.metalness ?? 0;
  into[2] = material.roughness ?? 0;
  into[3] = material.emissive?.r ?? 0;
  into[4] = material.emissive?.g ?? 0;
  into[5] = material.emissive?.b ?? 0;
  into[6] = material.emissiveIntensity ?? 0;
  into[7] = material.envMapIntensity ?? 0;
  into[8] = material.side;
  into[9] = bit(0, material.flatShading) + bit(1, material.fog) + bit(2, material.wireframe);
  into[10] = bit(0, material.depthTest) + bit(1, material.depthWrite) + bit(2, material.toneMapped);
  into[10] += bit(3, material.dithering) + bit(4, mesh.castShadow) + bit(5, mesh.receiveShadow);
  into[11] = bit(0, geometry.index !== null) + bit(1, geometry.attributes.uv !== undefined);
  into[12] = bit(0, geometry.attributes.color !== undefined) + bit(1, material.vertexColors);
  return true;
}

function kindOf(material: Three.Material): number {
  if (material.type === "MeshStandardMaterial") return 1;
  if (material.type === "MeshLambertMaterial") return 2;
  return material.type === "MeshBasicMaterial" ? 3 : 0;
}

function isPlain(material: PlainMaterial & { readonly [map in (typeof MAPS)[number]]?: unknown }): boolean {
  if (material.transparent || material.alphaTest !== 0 || !material.visible) return false;
  if (material.blending !== NORMAL_BLENDING || !material.colorWrite) return false;
  if (material.polygonOffset || material.stencilWrite || material.clippingPlanes !== null) return false;
  if (Object.hasOwn(material, "onBeforeCompile")) return false;
  for (const map of MAPS) if (material[map] !== undefined && material[map] !== null) return false;
  return true;
}

function isPlainForm({ attributes, drawRange, index, morphAttributes }: Three.BufferGeometry): boolean {
  const { position, normal, uv, color } = attributes;
  if (position === undefined || normal === undefined || position.count > BATCHED_VERTICES_MAX) return false;
  if ((index?.count ?? 0) > 6 * BATCHED_VERTICES_MAX || morphAttributes.position !== undefined) return false;
  const known = 2 + (uv === undefined ? 0 : 1) + (color?.itemSize === 3 ? 1 : 0);
  return sizeOf(attributes) === known && drawRange.count === Number.POSITIVE_INFINITY;
}

function sizeOf(attributes: Three.BufferGeometry["attributes"]): number {
  let size = 0;
  for (const name in attributes) if (Object.hasOwn(attributes, name)) size += 1;
  return size;
}

function bit(at: number, flag: boolean | undefined): number {
  return flag === true ? 1 << at : 0;
}
