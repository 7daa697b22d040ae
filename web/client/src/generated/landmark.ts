// Generated from spec/objects/landmark.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type Vector3, vector3Attributes } from "./vector3.ts";

/** A place that people can go to. */
export interface Landmark {
  /** Whether people arrive on the navigation mesh. Default `"false"`. */
  readonly constrainToNavMesh?: "false" | "any" | "coplanar" | boolean;
  /** Name in the list of landmarks. Default `""`. */
  readonly label?: string;
  /** Whether people arrive with their eyes on the object. Default `true`. */
  readonly lookAtLandmark?: boolean;
  /** Arrival point, relative to the object. In metres. Default `{"x":0,"y":1.6,"z":0}`. */
  readonly offsetPosition?: Vector3;
  /** Greatest distance at which people arrive. In metres. Range: at least 0. Default `0`. */
  readonly randomRadiusMax?: number;
  /** Least distance at which people arrive. In metres. Range: at least 0. Default `0`. */
  readonly randomRadiusMin?: number;
  /** Whether people may enter the scene here. Default `false`. */
  readonly startingPosition?: boolean;
}

/** The schema's description of each attribute of {@link Landmark}. */
export const landmarkAttributes: Group = {
  attributes: {
    constrainToNavMesh: { shape: { kind: "choice", shapes: [{ kind: "text", values: ["false", "any", "coplanar"] }, { kind: "boolean" }] }, default: "false" },
    label: { shape: { kind: "text" }, default: "", required: true },
    lookAtLandmark: { shape: { kind: "boolean" }, default: true, required: true },
    offsetPosition: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 1.6, z: 0 }, unit: "metres" },
    randomRadiusMax: { shape: { kind: "number", minimum: 0 }, default: 0, unit: "metres", required: true },
    randomRadiusMin: { shape: { kind: "number", minimum: 0 }, default: 0, unit: "metres", required: true },
    startingPosition: { shape: { kind: "boolean" }, default: false },
  },
  prefixes: {
  },
};
