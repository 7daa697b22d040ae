/** Poses a VRM avatar by the joints of `body-pose.ts`. Loads with the first VRM only. */
import { VRM, type VRMHumanBoneName } from "@pixiv/three-vrm";
import type { AFrameAdapter, Three } from "../aframe.ts";
import { EYE_HEIGHT_M } from "../limits.ts";
import { BodyPoseEstimator, type LimbJoints, type Point, type TrackedBodyInput } from "./body-pose.ts";

/** Height of the eyes above the head bone of a person 1.7 m tall. */
const EYES_ABOVE_M = 0.07;

type Side = "left" | "right";

/** The body in a parsed file; `null` if the file has no VRM. */
export function vrmBodyOf(aframe: AFrameAdapter, vrm: unknown): VrmBody | null {
  return vrm instanceof VRM ? new VrmBody(aframe, vrm) : null;
}

/** One body. The group has the scene's axes and its origin at the head. */
export class VrmBody {
  readonly group: Three.Group;
  readonly #vrm: VRM;
  readonly #pose = new BodyPoseEstimator();
  readonly #scale: number;
  readonly #hipsY: number;
  readonly #frame: Three.Quaternion;
  readonly #back: Three.Quaternion;
  readonly #half: Three.Quaternion;
  readonly #turn: Three.Quaternion;
  readonly #direction: Three.Vector3;
  readonly #rest: Three.Vector3;
  readonly #up: Three.Vector3;

  constructor(aframe: AFrameAdapter, vrm: VRM) {
    const { THREE } = aframe;
    this.#vrm = vrm;
    this.#frame = new THREE.Quaternion();
    this.#back = new THREE.Quaternion();
    this.#turn = new THREE.Quaternion();
    this.#direction = new THREE.Vector3();
    this.#rest = new THREE.Vector3();
    this.#up = new THREE.Vector3(0, 1, 0);
    this.#half = new THREE.Quaternion().setFromAxisAngle(this.#up, Math.PI);
    vrm.scene.updateWorldMatrix(true, true);
    const headM = vrm.humanoid.getRawBoneNode("head")?.getWorldPosition(this.#direction).y ?? EYE_HEIGHT_M;
    // Scales every model to the standard eye height: a doll would be invisible, a giant in everybody's way.
    this.#scale = EYE_HEIGHT_M / Math.max(0.05, headM + EYES_ABOVE_M);
    this.#hipsY = this.#bone("hips")?.position.y ?? 0;
    vrm.scene.scale.multiplyScalar(this.#scale);
    vrm.scene.traverse((part) => Object.assign(part, { frustumCulled: false }));
    this.group = new THREE.Group().add(vrm.scene);
  }

  update(known: TrackedBodyInput, head: Three.Quaternion, seconds: number): void {
    this.#pose.update(known, seconds);
    const { joints } = this.#pose;
    // A VRM faces +z, a camera faces -z.
    this.#frame.setFromAxisAngle(this.#up, joints.yawRad + Math.PI);
    this.#back.copy(this.#frame).invert();
    this.#vrm.scene.position.set(0, -known.eyesM, 0);
    this.#vrm.scene.quaternion.copy(this.#frame);
    const hips = this.#bone("hips");
    if (hips) hips.position.y = this.#hipsY - Math.max(0, EYE_HEIGHT_M - known.eyesM) / this.#scale;
    this.#bone("head")?.quaternion.copy(this.#back).multiply(head).multiply(this.#half);
    this.#limb("left", "Arm", joints.arms[0]);
    this.#limb("right", "Arm", joints.arms[1]);
    this.#limb("left", "Leg", joints.legs[0]);
    this.#limb("right", "Leg", joints.legs[1]);
    this.#vrm.update(seconds);
  }

  /** Removes the body from the scene. The library owns and frees the file. */
  remove(): void {
    this.group.removeFromParent();
  }

  #bone(name: VRMHumanBoneName): Three.Object3D | null {
    return this.#vrm.humanoid.getNormalizedBoneNode(name);
  }

  /** Rotates the two bones of a limb. In the rest pose arms point sideways and legs down. */
  #limb(side: Side, kind: "Arm" | "Leg", { root, joint, end }: LimbJoints): void {
    const upper = this.#bone(`${side}Upper${kind}`);
    const lower = this.#bone(`${side}Lower${kind}`);
    if (kind === "Leg") this.#rest.set(0, -1, 0);
    else this.#rest.set(side === "left" ? 1 : -1, 0, 0);
    if (!upper || !lower) return;
    this.#aim(root, joint);
    upper.quaternion.copy(this.#turn);
    this.#aim(joint, end);
    lower.quaternion.copy(upper.quaternion).invert().multiply(this.#turn);
  }

  #aim(from: Readonly<Point>, to: Readonly<Point>): void {
    this.#direction
      .set(to.x - from.x, to.y - from.y, to.z - from.z)
      .normalize()
      .applyQuaternion(this.#back);
    this.#turn.setFromUnitVectors(this.#rest, this.#direction);
  }
}
