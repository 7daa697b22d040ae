// Generated from spec/objects/physx-body.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type Vector3, vector3Attributes } from "./vector3.ts";

/** Makes the object a body of the physics engine. */
export interface PhysxBody {
  /** Damping of its rotation. Range: at least 0. Default `0`. */
  readonly angularDamping?: number;
  /** Whether it reports collisions. Default `false`. */
  readonly emitCollisionEvents?: boolean;
  /** Whether the collision mesh is exact. Default `false`. */
  readonly highPrecision?: boolean;
  /** Damping of its motion. Range: at least 0. Default `0`. */
  readonly linearDamping?: number;
  /** Mass. In kg. Range: at least 0. Default `1`. */
  readonly mass?: number;
  /** Offset of the collision mesh. In metres. Default `{"x":0,"y":0,"z":0}`. */
  readonly shapeOffset?: Vector3;
  /** Whether it moves freely, never, or by animation only. Default `"dynamic"`. */
  readonly type?: "dynamic" | "static" | "kinematic";
}

/** The schema's description of each attribute of {@link PhysxBody}. */
export const physxBodyAttributes: Group = {
  attributes: {
    angularDamping: { shape: { kind: "number", minimum: 0 }, default: 0 },
    emitCollisionEvents: { shape: { kind: "boolean" }, default: false },
    highPrecision: { shape: { kind: "boolean" }, default: false },
    linearDamping: { shape: { kind: "number", minimum: 0 }, default: 0 },
    mass: { shape: { kind: "number", minimum: 0 }, default: 1, unit: "kg" },
    shapeOffset: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 0, z: 0 }, unit: "metres" },
    type: { shape: { kind: "text", values: ["dynamic", "static", "kinematic"] }, default: "dynamic" },
  },
  prefixes: {
  },
};
