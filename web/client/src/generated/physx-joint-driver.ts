// Generated from spec/objects/physx-joint-driver.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type Vector3, vector3Attributes } from "./vector3.ts";

/** The motor of a joint. */
export interface PhysxJointDriver {
  /** Turning speed that is aimed at. In rad/s. Default `{"x":0,"y":0,"z":0}`. */
  readonly angularVelocity?: Vector3;
  /** Axes that are driven. Default `[]`. */
  readonly axes?: readonly (string)[];
  /** Damping of the motion. Range: at least 0. Default `1`. */
  readonly damping?: number;
  /** Greatest force. Default `3.402823466385289e+38`. */
  readonly forceLimit?: number;
  /** Speed that is aimed at. In m/s. Default `{"x":0,"y":0,"z":0}`. */
  readonly linearVelocity?: Vector3;
  /** Whether all other axes are locked. Default `false`. */
  readonly lockOtherAxes?: boolean;
  /** Whether turning takes the shortest way. Default `true`. */
  readonly slerpRotation?: boolean;
  /** Strength of the pull back. Default `1`. */
  readonly stiffness?: number;
  /** Whether masses are left out of account. Default `true`. */
  readonly useAcceleration?: boolean;
}

/** The schema's description of each attribute of {@link PhysxJointDriver}. */
export const physxJointDriverAttributes: Group = {
  attributes: {
    angularVelocity: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 0, z: 0 }, unit: "rad/s" },
    axes: { shape: { kind: "array", items: { kind: "text" } }, default: [] },
    damping: { shape: { kind: "number", minimum: 0 }, default: 1, cap: 100000 },
    forceLimit: { shape: { kind: "number" }, default: 3.402823466385289e+38 },
    linearVelocity: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 0, z: 0 }, unit: "m/s" },
    lockOtherAxes: { shape: { kind: "boolean" }, default: false },
    slerpRotation: { shape: { kind: "boolean" }, default: true },
    stiffness: { shape: { kind: "number" }, default: 1, cap: 100000 },
    useAcceleration: { shape: { kind: "boolean" }, default: true },
  },
  prefixes: {
  },
};
