// Generated from spec/objects/teleport-to-landmark.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A command to a person's camera: go to a landmark. */
export interface TeleportToLandmark extends AnyObject {
  readonly object_type: "teleport-to-landmark";
  /** Id of the landmark to go to. */
  readonly landmarkObj?: string;
}

/** The schema's description of each attribute of {@link TeleportToLandmark}. */
export const teleportToLandmarkAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    landmarkObj: { shape: { kind: "text" }, required: true },
  },
  prefixes: {
  },
};
