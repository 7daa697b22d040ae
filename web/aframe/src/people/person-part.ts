/** Creates the meshes of near people, part by part. Each geometry exists once and its material colours it. */
import type { AFrameAdapter, Three } from "../aframe.ts";
import { BODY } from "../limits.ts";
import { type BoneShape, bone, eyeParts, handParts, headParts, raisedParts, torso, trunk } from "./body-parts.ts";
import { mergedGeometry } from "./merged-geometry.ts";

const WHITE = "#ffffff";
const UPPER_ARM: BoneShape = { lengthM: BODY.armBonesM[0], radiusM: 0.043, end: null };
const LOWER_ARM: BoneShape = { lengthM: BODY.armBonesM[1], radiusM: 0.038, end: "hand" };
const UPPER_LEG: BoneShape = { lengthM: BODY.legBonesM[0], radiusM: 0.07, end: null };
const LOWER_LEG: BoneShape = { lengthM: BODY.legBonesM[1], radiusM: 0.055, end: "shoe" };

const MADE_OF = {
  head: (aframe: AFrameAdapter) => headParts(aframe, WHITE),
  eyes: (aframe: AFrameAdapter) => eyeParts(aframe),
  trunk: (aframe: AFrameAdapter) => [trunk(aframe, WHITE)],
  torso: (aframe: AFrameAdapter) => [torso(aframe, WHITE)],
  hand: (aframe: AFrameAdapter) => handParts(aframe, WHITE),
  raised: (aframe: AFrameAdapter) => raisedParts(aframe, WHITE),
  upperArm: (aframe: AFrameAdapter) => bone(aframe, WHITE, UPPER_ARM),
  lowerArm: (aframe: AFrameAdapter) => bone(aframe, WHITE, LOWER_ARM),
  upperLeg: (aframe: AFrameAdapter) => bone(aframe, WHITE, UPPER_LEG),
  lowerLeg: (aframe: AFrameAdapter) => bone(aframe, WHITE, LOWER_LEG),
} as const;

/** A part's name. */
export type AvatarMeshName = keyof typeof MADE_OF;

const forms = new WeakMap<object, Map<AvatarMeshName, Three.BufferGeometry>>();

/** A part in a colour; eyes have fixed colours. Disposing the shared geometry only costs another upload to the GPU. */
export function personPart(aframe: AFrameAdapter, part: AvatarMeshName, color: Three.ColorRepresentation): Three.Mesh {
  const { THREE } = aframe;
  const known = forms.get(THREE) ?? new Map<AvatarMeshName, Three.BufferGeometry>();
  forms.set(THREE, known);
  const form = known.get(part) ?? mergedGeometry(aframe, MADE_OF[part](aframe));
  known.set(part, form);
  const paint = part === "eyes" ? WHITE : color;
  return new THREE.Mesh(form, new THREE.MeshLambertMaterial({ vertexColors: true, color: paint }));
}
