// Generated from spec/objects/physics.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type Vector3, vector3Attributes } from "./vector3.ts";

/** Settings of the physics engine. */
export interface Physics {
  /** Delay after loading. In ms. Range: at least 0. Default `5000`. */
  readonly delay?: number;
  /** Whether physics is simulated. Where nothing is said, Stoa's pages simulate it. Default `false`. */
  readonly enabled?: boolean;
  /** Acceleration of all that falls. In m/s². Default `{"x":0,"y":-9.8,"z":0}`. */
  readonly gravity?: Vector3;
  /** Collision layers of the ground. Default `[2]`. */
  readonly groundCollisionLayers?: readonly (number)[];
  /** Layers that collide with the ground. Default `[1,2,3,4]`. */
  readonly groundCollisionMask?: readonly (number)[];
  /** Speed of simulated time. Default `1`. */
  readonly speed?: number;
  /** Shown statistics. Default `[]`. */
  readonly stats?: readonly (string)[];
  /** Least time between two steps. In ms. Range: at least 0. Default `10`. */
  readonly throttle?: number;
  /** Whether the floor and other defaults exist. Default `true`. */
  readonly useDefaultScene?: boolean;
}

/** The schema's description of each attribute of {@link Physics}. */
export const physicsAttributes: Group = {
  attributes: {
    delay: { shape: { kind: "number", minimum: 0 }, default: 5000, unit: "ms" },
    enabled: { shape: { kind: "boolean" }, default: false, required: true },
    gravity: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: -9.8, z: 0 }, unit: "m/s²" },
    groundCollisionLayers: { shape: { kind: "array", items: { kind: "number" } }, default: [2] },
    groundCollisionMask: { shape: { kind: "array", items: { kind: "number" } }, default: [1, 2, 3, 4] },
    speed: { shape: { kind: "number" }, default: 1 },
    stats: { shape: { kind: "array", items: { kind: "text" } }, default: [] },
    throttle: { shape: { kind: "number", minimum: 0 }, default: 10, unit: "ms" },
    useDefaultScene: { shape: { kind: "boolean" }, default: true },
  },
  prefixes: {
  },
};
