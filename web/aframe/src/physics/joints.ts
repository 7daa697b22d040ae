/** Creates and limits joints between two Rapier bodies: ARENA's `physx-joint`. */
import type RAPIER from "@dimforge/rapier3d-compat";
import { AXES, type JointAxis, type JointSettings } from "../mapping/joint-settings.ts";
import type { Xyz } from "../values.ts";

/** The loaded Rapier module. */
export type Rapier = typeof RAPIER;

interface RotationQuaternion extends Xyz {
  readonly w: number;
}

const HERE: Xyz = { x: 0, y: 0, z: 0 };
const UPRIGHT: RotationQuaternion = { x: 0, y: 0, z: 0, w: 1 };
/** Hinges and sliders use a body's own x axis, as in PhysX. */
const AXIS: Xyz = { x: 1, y: 0, z: 0 };

/** Default free axes by joint type. */
const FREE: Readonly<Record<JointSettings["type"], readonly JointAxis[]>> = {
  Spherical: ["twist", "swingY", "swingZ"],
  Fixed: [],
  Revolute: ["twist"],
  Prismatic: ["x"],
  D6: [],
};

/** The free axes: the type's defaults, and those with a constraint or motor; locked axes are never free. */
export function freeAxes({ type, locked, free, limits, motors }: JointSettings): ReadonlySet<JointAxis> {
  const open = new Set<JointAxis>(FREE[type]);
  for (const axis of free) open.add(axis);
  for (const { axis } of limits) open.add(axis);
  // A motor's axis must be free.
  if (type === "D6") for (const { axis } of motors) open.add(axis);
  for (const axis of locked) open.delete(axis);
  return open;
}

/** Sets limits and motors of a joint made from {@link jointData}, in the frame of the joint's first body. */
export function constrain(
  joints: RAPIER.ImpulseJointSet,
  handle: number,
  { limits, motors }: JointSettings,
  { MotorModel }: Rapier,
): void {
  for (const { axis, min, max } of limits) joints.raw.jointSetLimits(handle, AXES.indexOf(axis), min, max);
  for (const { axis, speed, stiffness, damping, byAcceleration } of motors) {
    const at = AXES.indexOf(axis);
    const model = byAcceleration ? MotorModel.AccelerationBased : MotorModel.ForceBased;
    joints.raw.jointConfigureMotorModel(handle, at, Number(model));
    joints.raw.jointConfigureMotor(handle, at, 0, speed, stiffness, damping);
  }
}

/** Whether a motor has a target speed, and not only a spring. */
export function isDriven({ motors }: JointSettings): boolean {
  return motors.some(({ speed }) => speed !== 0);
}

/** A joint at the centre of `one` in the bodies' current poses, in the frame of `other`, the joint's first body. */
export function jointData(
  { JointData, JointAxesMask }: Rapier,
  settings: JointSettings,
  one: RAPIER.RigidBody,
  other: RAPIER.RigidBody,
): RAPIER.JointData {
  const back = conjugate(other.rotation());
  const [at, there] = [one.translation(), other.translation()];
  const anchor = turned({ x: at.x - there.x, y: at.y - there.y, z: at.z - there.z }, back);
  const free = freeAxes(settings);
  // Without free axes Rapier's fixed joint is stiffer.
  if (free.size === 0) return JointData.fixed(anchor, product(back, one.rotation()), HERE, UPRIGHT);
  const { LinX, LinY, LinZ, AngX, AngY, AngZ } = JointAxesMask;
  const masks = { x: LinX, y: LinY, z: LinZ, twist: AngX, swingY: AngY, swingZ: AngZ };
  const held = AXES.reduce((sum, axis) => (free.has(axis) ? sum : sum | masks[axis]), 0);
  return JointData.generic(anchor, HERE, AXIS, held);
}

/** The shortest rotation between two orientations, as a rotation vector in radians. */
export function turnTo(from: RotationQuaternion, to: RotationQuaternion): Xyz {
  const { x, y, z, w } = product(to, conjugate(from));
  const sine = Math.hypot(x, y, z);
  if (sine < 1e-9) return HERE;
  const share = (2 * Math.atan2(sine, Math.abs(w)) * Math.sign(w || 1)) / sine;
  return { x: x * share, y: y * share, z: z * share };
}

function conjugate({ x, y, z, w }: RotationQuaternion): RotationQuaternion {
  return { x: -x, y: -y, z: -z, w };
}

function product(a: RotationQuaternion, b: RotationQuaternion): RotationQuaternion {
  return {
    x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  };
}

function turned({ x, y, z }: Xyz, by: RotationQuaternion): Xyz {
  const { x: tx, y: ty, z: tz } = product(product(by, { x, y, z, w: 0 }), conjugate(by));
  return { x: tx, y: ty, z: tz };
}
