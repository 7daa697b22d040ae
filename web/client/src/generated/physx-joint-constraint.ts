// Generated from spec/objects/physx-joint-constraint.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type Vector2, vector2Attributes } from "./vector2.ts";

/** Limits of a joint. */
export interface PhysxJointConstraint {
  /** Least and greatest angle. */
  readonly angularLimit?: Vector2;
  /** Axes with limits. Default `[]`. */
  readonly constrainedAxes?: readonly (string)[];
  /** Damping of the motion. Range: at least 0. Default `0`. */
  readonly damping?: number;
  /** Axes without limits. Default `[]`. */
  readonly freeAxes?: readonly (string)[];
  /** Opening of the cone of swing, both ways. */
  readonly limitCone?: Vector2;
  /** Least and greatest distance. */
  readonly linearLimit?: Vector2;
  /** Axes along or around which nothing moves. Default `[]`. */
  readonly lockedAxes?: readonly (string)[];
  /** Bounciness. Range: at least 0. Default `0`. */
  readonly restitution?: number;
  /** Strength of the pull back. Default `0`. */
  readonly stiffness?: number;
  /** Least and greatest twist. */
  readonly twistLimit?: Vector2;
}

/** The schema's description of each attribute of {@link PhysxJointConstraint}. */
export const physxJointConstraintAttributes: Group = {
  attributes: {
    angularLimit: { shape: { kind: "group", group: vector2Attributes } },
    constrainedAxes: { shape: { kind: "array", items: { kind: "text" } }, default: [] },
    damping: { shape: { kind: "number", minimum: 0 }, default: 0 },
    freeAxes: { shape: { kind: "array", items: { kind: "text" } }, default: [] },
    limitCone: { shape: { kind: "group", group: vector2Attributes } },
    linearLimit: { shape: { kind: "group", group: vector2Attributes } },
    lockedAxes: { shape: { kind: "array", items: { kind: "text" } }, default: [] },
    restitution: { shape: { kind: "number", minimum: 0 }, default: 0 },
    stiffness: { shape: { kind: "number" }, default: 0 },
    twistLimit: { shape: { kind: "group", group: vector2Attributes } },
  },
  prefixes: {
  },
};
