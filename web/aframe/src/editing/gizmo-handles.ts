/** The gizmo's meshes, drawn over everything: arrows and squares, rings, or shafts with cubes. */
import type { AFrameAdapter, Three } from "../aframe.ts";
import { dispose } from "../meshes.ts";
import type { GizmoAxes, GizmoMode } from "./gizmo-drag.ts";

/** Red, green and blue as in other editors; each contrasts with light and dark backgrounds. */
const COLORS = { x: "#e5484d", y: "#46a758", z: "#3e7bfa", xyz: "#f5f5f5" } as const;
const AXES = ["x", "y", "z"] as const;

/** Key in `userData` that holds a handle's axes. */
export const HANDLE = "stoaHandle";

/** All handles of one mode, reaching about a metre from the centre; the gizmo scales them by camera distance. */
export function handlesFor(aframe: AFrameAdapter, mode: GizmoMode): Three.Group {
  const group = new aframe.THREE.Group();
  for (const axis of AXES) group.add(...alongAxis(aframe, mode, axis));
  if (mode === "move") for (const axes of ["xy", "xz", "yz"] as const) group.add(square(aframe, axes));
  if (mode === "size") {
    const { BoxGeometry } = aframe.THREE;
    group.add(handle(aframe, new BoxGeometry(0.16, 0.16, 0.16), { axes: "xyz", color: COLORS.xyz }));
  }
  return group;
}

/** The axes of the handle that was hit. */
export function axesOf(hit: Three.Object3D): GizmoAxes | null {
  const axes: unknown = hit.userData[HANDLE];
  return AXES_KNOWN.find((known) => known === axes) ?? null;
}

/** Disposes of the handles. */
export function removeHandles(group: Three.Group): void {
  dispose(group);
}

const AXES_KNOWN: readonly GizmoAxes[] = ["x", "y", "z", "xy", "xz", "yz", "xyz"];

function alongAxis(aframe: AFrameAdapter, mode: GizmoMode, axis: (typeof AXES)[number]): Three.Object3D[] {
  const { BoxGeometry, ConeGeometry, CylinderGeometry, TorusGeometry } = aframe.THREE;
  const how = { axes: axis, color: COLORS[axis] } as const;
  if (mode === "turn") {
    const ring = handle(aframe, new TorusGeometry(0.85, 0.018, 8, 64), how);
    const wide = unseen(aframe, new TorusGeometry(0.85, 0.07, 6, 32), axis);
    for (const part of [ring, wide]) {
      if (axis === "x") part.rotation.y = Math.PI / 2;
      if (axis === "y") part.rotation.x = Math.PI / 2;
    }
    return [ring, wide];
  }
  const shaft = handle(aframe, new CylinderGeometry(0.018, 0.018, 0.75, 8).translate(0, 0.5, 0), how);
  const tip =
    mode === "move"
      ? handle(aframe, new ConeGeometry(0.07, 0.2, 16).translate(0, 0.95, 0), how)
      : handle(aframe, new BoxGeometry(0.13, 0.13, 0.13).translate(0, 0.9, 0), how);
  // An invisible hull widens the hit area for fingers.
  const wide = unseen(aframe, new CylinderGeometry(0.11, 0.11, 0.9, 6).translate(0, 0.62, 0), axis);
  const parts = [shaft, tip, wide];
  for (const part of parts) {
    if (axis === "x") part.rotation.z = -Math.PI / 2;
    if (axis === "z") part.rotation.x = Math.PI / 2;
  }
  return parts;
}

function square(aframe: AFrameAdapter, axes: "xy" | "xz" | "yz"): Three.Mesh {
  const geometry = new aframe.THREE.PlaneGeometry(0.24, 0.24).translate(0.32, 0.32, 0);
  const other = AXES.find((axis) => !axes.includes(axis)) ?? "y";
  const mesh = handle(aframe, geometry, { axes, color: COLORS[other] });
  if (axes === "xz") mesh.rotation.x = Math.PI / 2;
  if (axes === "yz") mesh.rotation.y = -Math.PI / 2;
  if (!Array.isArray(mesh.material)) Object.assign(mesh.material, { opacity: 0.45, side: aframe.THREE.DoubleSide });
  return mesh;
}

function handle(
  aframe: AFrameAdapter,
  geometry: Three.BufferGeometry,
  { axes, color }: { readonly axes: GizmoAxes; readonly color: string },
): Three.Mesh {
  const look = { color, depthTest: false, depthWrite: false, transparent: true, fog: false, toneMapped: false };
  const mesh = new aframe.THREE.Mesh(geometry, new aframe.THREE.MeshBasicMaterial(look));
  mesh.renderOrder = 1_000;
  mesh.userData[HANDLE] = axes;
  return mesh;
}

/** A raycast target that isn't drawn. */
function unseen(aframe: AFrameAdapter, geometry: Three.BufferGeometry, axes: GizmoAxes): Three.Mesh {
  const mesh = handle(aframe, geometry, { axes, color: "#000000" });
  if (!Array.isArray(mesh.material)) Object.assign(mesh.material, { opacity: 0, colorWrite: false });
  return mesh;
}
