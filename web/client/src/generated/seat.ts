// Generated from spec/objects/seat.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type Vector3, vector3Attributes } from "./vector3.ts";

/** A place to sit: press the object to sit down. */
export interface Seat {
  /** Viewing direction about the upward axis; 0 is along the object's -z. In degrees. Range: -360 to 360. Default `0`. */
  readonly facing?: number;
  /** Centre of the seat, relative to the object. In metres. Default `{"x":0,"y":0.45,"z":0}`. */
  readonly offsetPosition?: Vector3;
}

/** The schema's description of each attribute of {@link Seat}. */
export const seatAttributes: Group = {
  attributes: {
    facing: { shape: { kind: "number", minimum: -360, maximum: 360 }, default: 0, unit: "degrees" },
    offsetPosition: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 0.45, z: 0 }, unit: "metres" },
  },
  prefixes: {
  },
};
