/** Applies an object's own options to its copy of a file: appearance of points, poses of joints. */
import type { AFrameAdapter, Three } from "../aframe.ts";

export interface ModelCopyOptions {
  /** Of a point cloud: size in metres, colour (empty: each point's own) and opacity. */
  readonly points?: { readonly size: number; readonly color: string; readonly opacity: number };
  /** Of a robot: degrees or metres by joint name. */
  readonly joints?: Readonly<Record<string, number>>;
}

/** The part of `urdf-loader`'s robot that is set here. */
interface UrdfRobot extends Three.Object3D {
  readonly joints: Readonly<Record<string, { readonly jointType: string }>>;
  setJointValue(name: string, value: number): boolean;
}

function isRobot(object: Three.Object3D): object is UrdfRobot {
  return "isURDFRobot" in object;
}

function isPoints(object: Three.Object3D): object is Three.Points<Three.BufferGeometry, Three.PointsMaterial> {
  return "isPoints" in object;
}

const RAD = Math.PI / 180;

/** Applies the options to a copy of a file. */
export function applyOptions(
  aframe: AFrameAdapter,
  object: Three.Object3D,
  { points, joints }: ModelCopyOptions,
): void {
  if (points && isPoints(object)) paint(aframe, object, points);
  if (!isRobot(object)) return;
  for (const [name, value] of Object.entries(joints ?? {})) {
    const type = Object.hasOwn(object.joints, name) ? object.joints[name]?.jointType : undefined;
    if (type !== undefined) object.setJointValue(name, type === "prismatic" ? value : value * RAD);
  }
}

/** Frees resources private to this copy: the materials of {@link applyOptions}, skeletons and instance buffers. */
export function freeOptions({ THREE }: AFrameAdapter, copy: Three.Object3D): void {
  if (isPoints(copy)) copy.material.dispose();
  copy.traverse((object) => {
    if (object instanceof THREE.SkinnedMesh) object.skeleton.dispose();
    if (object instanceof THREE.InstancedMesh) object.dispose();
  });
}

function paint(
  { THREE }: AFrameAdapter,
  cloud: Three.Points<Three.BufferGeometry, Three.PointsMaterial>,
  { size, color, opacity }: NonNullable<ModelCopyOptions["points"]>,
): void {
  const own = color === "" && cloud.geometry.hasAttribute("color");
  cloud.material = new THREE.PointsMaterial({
    ...{ size, opacity, transparent: opacity < 1, vertexColors: own },
    ...(color === "" ? {} : { color }),
  });
}
