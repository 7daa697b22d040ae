/** Merges meshes into one geometry, with transforms and colours baked into vertices, for a single draw call. */
import type { AFrameAdapter, Three } from "../aframe.ts";

/** Bakes meshes with Lambert materials, then frees them. */
export function mergedGeometry(aframe: AFrameAdapter, meshes: readonly Three.Mesh[]): Three.BufferGeometry {
  const { THREE } = aframe;
  const [positions, normals, colors, indices]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (const mesh of meshes) {
    mesh.updateMatrix();
    const geometry = mesh.geometry.clone().applyMatrix4(mesh.matrix);
    const first = positions.length / 3;
    const { position, normal } = geometry.attributes;
    if (position === undefined || normal === undefined) continue;
    positions.push(...position.array);
    normals.push(...normal.array);
    const color = colorOf(aframe, mesh.material);
    for (let vertex = 0; vertex < position.count; vertex += 1) colors.push(color.r, color.g, color.b);
    const index = geometry.index?.array ?? Array.from({ length: position.count }, (_, vertex) => vertex);
    for (const vertex of index) indices.push(first + vertex);
    geometry.dispose();
    mesh.geometry.dispose();
    for (const material of [mesh.material].flat()) material.dispose();
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
  geometry.setAttribute("color", new THREE.Float32BufferAttribute(colors, 3));
  geometry.setIndex(indices);
  return geometry;
}

function colorOf({ THREE }: AFrameAdapter, material: Three.Material | Three.Material[]): Three.Color {
  const [first] = [material].flat();
  return first instanceof THREE.MeshLambertMaterial ? first.color : new THREE.Color();
}
