/** The built-in avatar: meshes of head, body and hands. `detail` scales the number of edges. */
import type { AFrameAdapter, Three } from "../aframe.ts";
import { coloured } from "../meshes.ts";

const edges = (full: number, detail: number): number => Math.max(4, Math.round(full * detail));

/** A rounded head facing -z like a camera. The nose shows the gaze direction from afar. */
export function headParts(aframe: AFrameAdapter, color: string, detail = 1): Three.Mesh[] {
  const { THREE } = aframe;
  const skull = coloured(aframe, new THREE.SphereGeometry(0.16, edges(20, detail), edges(14, detail)), color);
  skull.scale.set(0.92, 1.06, 0.96);
  const shade = new THREE.Color(color).multiplyScalar(0.7);
  const nose = coloured(aframe, new THREE.ConeGeometry(0.026, 0.075, edges(10, detail)), shade);
  nose.rotation.x = -1.25;
  nose.position.set(0, -0.018, -0.17);
  return [skull, nose];
}

/** Large eyes in fixed colours. */
export function eyeParts(aframe: AFrameAdapter, detail = 1): Three.Mesh[] {
  const { THREE } = aframe;
  return [-1, 1].flatMap((side) => {
    const white = coloured(aframe, new THREE.SphereGeometry(0.047, edges(14, detail), edges(10, detail)), "#ffffff");
    white.position.set(side * 0.06, 0.04, -0.122);
    const pupil = coloured(aframe, new THREE.SphereGeometry(0.025, edges(10, detail), edges(8, detail)), "#141b26");
    pupil.position.set(side * 0.058, 0.04, -0.152);
    return [white, pupil];
  });
}

/** Shoulders and trunk in one piece, a little darker than the head to set it apart. */
export function trunk(aframe: AFrameAdapter, color: string, detail = 1): Three.Mesh {
  const { THREE } = aframe;
  const shade = new THREE.Color(color).multiplyScalar(0.82);
  const outline = [...BODY_OUTLINE].map(([x, y]) => new THREE.Vector2(x, y));
  const body = coloured(aframe, new THREE.LatheGeometry(outline, edges(18, detail)), shade);
  body.scale.z = 0.72;
  return body;
}

/** A palm with a pointing finger along -z. */
export function handParts(aframe: AFrameAdapter, color: string, detail = 1): Three.Mesh[] {
  const { THREE } = aframe;
  const palm = coloured(aframe, new THREE.SphereGeometry(0.045, edges(16, detail), edges(12, detail)), color);
  palm.scale.set(0.9, 0.6, 1.2);
  const finger = coloured(aframe, new THREE.CapsuleGeometry(0.011, 0.06, 4, edges(10, detail)), color);
  finger.rotation.x = Math.PI / 2;
  finger.position.set(0, 0.008, -0.075);
  return [palm, finger];
}

/** A flat hand with its fingers up, modelled on both sides. */
export function raisedParts(aframe: AFrameAdapter, color: string, detail = 1): Three.Mesh[] {
  const { THREE } = aframe;
  const part = (radius: number, length: number, [x, y, tilt]: readonly [number, number, number]): Three.Mesh => {
    const finger = coloured(aframe, new THREE.CapsuleGeometry(radius, length, 3, edges(10, detail)), color);
    finger.position.set(x, y, 0);
    finger.rotation.z = tilt;
    return finger;
  };
  const palm = coloured(aframe, new THREE.SphereGeometry(0.07, edges(16, detail), edges(12, detail)), color);
  palm.scale.set(1, 1.1, 0.5);
  const fingers = [-0.048, -0.016, 0.016, 0.048].map((x, at) =>
    part(0.016, at % 3 === 0 ? 0.07 : 0.09, [x, 0.11, -x * 3]),
  );
  return [palm, ...fingers, part(0.018, 0.05, [0.082, 0.02, -0.9])];
}

/** Chest and hips in one piece, from the shoulders down, for a body with legs. */
export function torso(aframe: AFrameAdapter, color: string): Three.Mesh {
  const { THREE } = aframe;
  const outline = TORSO_OUTLINE.map(([x, y]) => new THREE.Vector2(x, y));
  const body = coloured(aframe, new THREE.LatheGeometry(outline, 18), new THREE.Color(color).multiplyScalar(0.82));
  body.scale.z = 0.66;
  return body;
}

/** A limb segment from its joint along -y. The last segment of a limb carries a hand or a shoe. */
export function bone(aframe: AFrameAdapter, color: string, { lengthM, radiusM, end }: BoneShape): Three.Mesh[] {
  const { THREE } = aframe;
  const skin = new THREE.Color(color).multiplyScalar(0.74);
  const shaft = coloured(aframe, new THREE.CapsuleGeometry(radiusM, lengthM, 4, 10), skin);
  shaft.position.y = -lengthM / 2;
  if (end === null) return [shaft];
  const shade = new THREE.Color(color).multiplyScalar(end === "hand" ? 1 : 0.02);
  const foot = coloured(aframe, new THREE.SphereGeometry(0.06, 12, 8), shade);
  foot.position.set(0, -lengthM, end === "hand" ? 0 : -0.05);
  foot.scale.set(end === "hand" ? 0.8 : 0.85, end === "hand" ? 1 : 0.65, end === "hand" ? 0.8 : 1.9);
  return [shaft, foot];
}

/** The shape of a limb segment. */
export interface BoneShape {
  readonly lengthM: number;
  readonly radiusM: number;
  readonly end: "hand" | "shoe" | null;
}

/** Profile of the torso from the bottom up: radius and height in metres, relative to the eyes. */
const TORSO_OUTLINE = [
  [0, -0.78],
  [0.12, -0.76],
  [0.165, -0.66],
  [0.15, -0.52],
  [0.2, -0.32],
  [0.19, -0.25],
  [0.11, -0.2],
  [0, -0.18],
] as const;

/** Profile of the trunk from the bottom up: radius and height in metres, relative to the eyes. */
const BODY_OUTLINE = [
  [0, -0.98],
  [0.09, -0.95],
  [0.15, -0.7],
  [0.21, -0.36],
  [0.2, -0.28],
  [0.12, -0.22],
  [0, -0.2],
] as const;
