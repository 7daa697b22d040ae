// Generated from spec/objects/physx-joint.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type Vector2, vector2Attributes } from "./vector2.ts";

/** A joint between two bodies. */
export interface PhysxJoint {
  /** Force and torque at which it breaks; -1 is never. Default `{"x":-1,"y":-1}`. */
  readonly breakForce?: Vector2;
  /** Whether both still collide. Default `false`. */
  readonly collideWithTarget?: boolean;
  /** Distance and angle beyond which the joint is put right; -1 is never. Default `{"x":-1,"y":-1}`. */
  readonly projectionTolerance?: Vector2;
  /** Whether the joint is removed when it breaks. Default `false`. */
  readonly removeElOnBreak?: boolean;
  /** Whether a fixed joint gives a little. Default `false`. */
  readonly softFixed?: boolean;
  /** Id of the other object. */
  readonly target?: string;
  /** Kind of joint. Default `"Spherical"`. */
  readonly type?: "Spherical" | "Fixed" | "Revolute" | "Prismatic" | "D6";
}

/** The schema's description of each attribute of {@link PhysxJoint}. */
export const physxJointAttributes: Group = {
  attributes: {
    breakForce: { shape: { kind: "group", group: vector2Attributes }, default: { x: -1, y: -1 } },
    collideWithTarget: { shape: { kind: "boolean" }, default: false },
    projectionTolerance: { shape: { kind: "group", group: vector2Attributes }, default: { x: -1, y: -1 } },
    removeElOnBreak: { shape: { kind: "boolean" }, default: false },
    softFixed: { shape: { kind: "boolean" }, default: false },
    target: { shape: { kind: "text" }, reference: true },
    type: { shape: { kind: "text", values: ["Spherical", "Fixed", "Revolute", "Prismatic", "D6"] }, default: "Spherical" },
  },
  prefixes: {
  },
};
