/** Parses joints: `physx-joint` with `physx-joint-constraint` and `physx-joint-driver`. Pure. */
import { groups } from "@stoa/client/generated";
import { bag, finite, flag, type JsonObject, oneOf, text, within, xyz } from "../values.ts";
import { capOf, defaultsOf, read, readersOf } from "./attribute-readers.ts";

const jointReaders = readersOf("physx-joint", groups["physx-joint"]);
const jointDefaults = defaultsOf(groups["physx-joint"], ["type", "collideWithTarget"]);
const driverAttributes = groups["physx-joint-driver"].attributes;
const JOINTS = ["Spherical", "Fixed", "Revolute", "Prismatic", "D6"] as const;
const RAD = Math.PI / 180;

/** A joint of a body. */
export interface JointSettings {
  readonly type: "Spherical" | "Fixed" | "Revolute" | "Prismatic" | "D6";
  /** The other body's object id. */
  readonly target: string;
  /** Whether the two bodies still collide. */
  readonly collideWithTarget: boolean;
  readonly locked: readonly JointAxis[];
  readonly free: readonly JointAxis[];
  readonly limits: readonly AxisLimit[];
  readonly motors: readonly AxisMotor[];
}

/** The six degrees of freedom of a joint, in Rapier's order. */
export const AXES = ["x", "y", "z", "twist", "swingY", "swingZ"] as const;
export type JointAxis = (typeof AXES)[number];

/** The range of an axis, in metres or radians. */
export interface AxisLimit {
  readonly axis: JointAxis;
  readonly min: number;
  readonly max: number;
}

/** The motor of an axis: drives it at a speed and pulls it back to its initial position. */
export interface AxisMotor {
  readonly axis: JointAxis;
  /** In m/s or rad/s. */
  readonly speed: number;
  readonly stiffness: number;
  readonly damping: number;
  /** Whether the motor is independent of mass. */
  readonly byAcceleration: boolean;
}

/** The joint of an object, if any. */
export function jointOf(attributes: JsonObject, base: string): JointSettings | null {
  const group = bag(attributes["physx-joint"]);
  if (!group) return null;
  const { type, target, collideWithTarget }: JsonObject = { ...jointDefaults, ...read(jointReaders, group, base) };
  const name = text(target, 256)?.replace(/^#/, "") ?? "";
  const kind = oneOf(type, JOINTS);
  if (!kind || name === "") return null;
  const { locked, free, limits } = constraintOf(kind, bag(attributes["physx-joint-constraint"]));
  const driven = kind === "D6" ? motorsOf(bag(attributes["physx-joint-driver"])) : { motors: [], locked: [] };
  return {
    ...{ type: kind, target: name, collideWithTarget: collideWithTarget === true, free, limits },
    locked: [...locked, ...driven.locked],
    motors: driven.motors,
  };
}

/** Hinges and sliders have one limit, a `D6` configures each axis, other joints have neither. */
function constraintOf(
  type: JointSettings["type"],
  constraint: JsonObject | undefined,
): Pick<JointSettings, "locked" | "free" | "limits"> {
  const [linear, angular] = [rangeOf(constraint?.linearLimit), rangeOf(constraint?.angularLimit, RAD)];
  const limited = (axis: JointAxis, range: AxisRange | undefined): AxisLimit[] => (range ? [{ axis, ...range }] : []);
  if (type === "Revolute") return { locked: [], free: [], limits: limited("twist", angular) };
  if (type === "Prismatic") return { locked: [], free: [], limits: limited("x", linear) };
  if (type !== "D6") return { locked: [], free: [], limits: [] };
  const [twist, cone] = [rangeOf(constraint?.twistLimit, RAD), rangeOf(constraint?.limitCone, RAD)];
  const ranges = { x: linear, y: linear, z: linear, twist, swingY: cone, swingZ: cone };
  const limits = axesOf(constraint?.constrainedAxes).flatMap((axis) => limited(axis, ranges[axis]));
  return { locked: axesOf(constraint?.lockedAxes), free: axesOf(constraint?.freeAxes), limits };
}

function motorsOf(driver: JsonObject | undefined): {
  readonly motors: AxisMotor[];
  readonly locked: readonly JointAxis[];
} {
  if (!driver) return { motors: [], locked: [] };
  const axes = axesOf(driver.axes);
  const [linear, angular] = [xyz(driver.linearVelocity), xyz(driver.angularVelocity)];
  const speeds = [linear?.x, linear?.y, linear?.z, angular?.x, angular?.y, angular?.z];
  const strength = (key: string): number => within(driver[key], 0, capOf(key, driverAttributes[key])) ?? 1;
  const motors = axes.map((axis) => ({
    ...{ axis, speed: speeds[AXES.indexOf(axis)] ?? 0 },
    ...{ stiffness: strength("stiffness"), damping: strength("damping") },
    byAcceleration: flag(driver.useAcceleration) ?? true,
  }));
  const others = AXES.filter((axis) => !axes.includes(axis));
  return { motors, locked: flag(driver.lockOtherAxes) === true ? others : [] };
}

interface AxisRange {
  readonly min: number;
  readonly max: number;
}

function rangeOf(value: unknown, unit = 1): AxisRange | undefined {
  const range = bag(value);
  if (!range) return undefined;
  const [one, other] = [finite(range.x) ?? 0, finite(range.y) ?? 0];
  return { min: Math.min(one, other) * unit, max: Math.max(one, other) * unit };
}

/** PhysX's axis names: `swing` means both swings, `slerp` all rotations. */
function axesOf(value: unknown): readonly JointAxis[] {
  const names: readonly unknown[] = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  const found = names.slice(0, AXES.length).flatMap((name): readonly JointAxis[] => {
    const word = text(name, 16)?.trim().toLowerCase();
    if (word === "swing") return ["swingY", "swingZ"];
    if (word === "slerp") return ["twist", "swingY", "swingZ"];
    return word === "x" || word === "y" || word === "z" || word === "twist" ? [word] : [];
  });
  return AXES.filter((axis) => found.includes(axis));
}
