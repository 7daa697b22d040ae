// Generated from spec/objects/stoa-user.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type Vector3, vector3Attributes } from "./vector3.ts";

/** A person's gestures, at their camera, in addition to ARENA's. */
export interface StoaUser {
  /** Whether the body has legs. Default `"full"`. */
  readonly body?: "full" | "half";
  /** Whether the person has raised a hand. Default `false`. */
  readonly handRaised?: boolean;
  /** Whether the person points at something. Default `false`. */
  readonly laser?: boolean;
  /** Start of the beam: the head or a hand. Default `"head"`. */
  readonly laserFrom?: "head" | "left" | "right";
  /** The point the person indicates, in scene space. In metres. */
  readonly laserTo?: Vector3;
}

/** The schema's description of each attribute of {@link StoaUser}. */
export const stoaUserAttributes: Group = {
  attributes: {
    body: { shape: { kind: "text", values: ["full", "half"] }, default: "full" },
    handRaised: { shape: { kind: "boolean" }, default: false },
    laser: { shape: { kind: "boolean" }, default: false },
    laserFrom: { shape: { kind: "text", values: ["head", "left", "right"] }, default: "head" },
    laserTo: { shape: { kind: "group", group: vector3Attributes }, unit: "metres" },
  },
  prefixes: {
  },
};
