/** The built-in body with arms and legs, posed by `body-pose.ts`. */
import type { AFrameAdapter, Three } from "../aframe.ts";
import { BodyPoseEstimator, type LimbJoints, type Point, type TrackedBodyInput } from "./body-pose.ts";
import { type AvatarMeshName, personPart } from "./person-part.ts";

type LimbBones = readonly [upper: Three.Object3D, lower: Three.Object3D];

/** One body. The group has the scene's axes and its origin at the head. */
export class BuiltInBody {
  readonly group: Three.Group;
  readonly #pose = new BodyPoseEstimator();
  readonly #chest: Three.Object3D;
  readonly #arms: readonly [LimbBones, LimbBones];
  readonly #legs: readonly [LimbBones, LimbBones];
  readonly #way: Three.Vector3;
  readonly #down: Three.Vector3;
  readonly #up: Three.Vector3;
  readonly #yaw: Three.Quaternion;
  readonly #back: Three.Quaternion;

  constructor(aframe: AFrameAdapter, color: string) {
    const { THREE } = aframe;
    const limb = (upper: AvatarMeshName, lower: AvatarMeshName): LimbBones => [
      personPart(aframe, upper, color),
      personPart(aframe, lower, color),
    ];
    this.#chest = personPart(aframe, "torso", color);
    this.#arms = [limb("upperArm", "lowerArm"), limb("upperArm", "lowerArm")];
    this.#legs = [limb("upperLeg", "lowerLeg"), limb("upperLeg", "lowerLeg")];
    this.group = new THREE.Group().add(this.#chest, ...this.#arms.flat(), ...this.#legs.flat());
    this.#way = new THREE.Vector3();
    this.#down = new THREE.Vector3(0, -1, 0);
    this.#up = new THREE.Vector3(0, 1, 0);
    this.#yaw = new THREE.Quaternion();
    this.#back = new THREE.Quaternion();
  }

  update(known: TrackedBodyInput, seconds: number): void {
    this.#pose.update(known, seconds);
    const { joints } = this.#pose;
    this.#yaw.setFromAxisAngle(this.#up, joints.yawRad);
    this.#back.copy(this.#yaw).invert();
    this.#chest.quaternion.copy(this.#yaw);
    for (const side of [0, 1] as const) {
      this.#place(this.#arms[side], joints.arms[side]);
      this.#place(this.#legs[side], joints.legs[side]);
    }
  }

  #place([upper, lower]: LimbBones, { root, joint, end }: LimbJoints): void {
    this.#point(upper, root, joint);
    this.#point(lower, joint, end);
  }

  /** Aligns a segment with its bone and its twist with the chest: shoes point ahead. */
  #point(part: Three.Object3D, from: Readonly<Point>, to: Readonly<Point>): void {
    part.position.copy(from);
    this.#way.copy(to).sub(part.position).normalize().applyQuaternion(this.#back);
    part.quaternion.setFromUnitVectors(this.#down, this.#way).premultiply(this.#yaw);
  }
}
