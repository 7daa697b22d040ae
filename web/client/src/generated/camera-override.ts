// Generated from spec/objects/camera-override.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type Position, positionAttributes } from "./position.ts";
import { type Rotation, rotationAttributes } from "./rotation.ts";
import { type Vector3, vector3Attributes } from "./vector3.ts";

/** A command to a person's camera. */
export interface CameraOverride {
  /** Id of the landmark to go to. */
  readonly landmarkObj?: string;
  /** The command, one of three. */
  readonly object_type?: "camera" | "look-at" | "teleport-to-landmark";
  /** New position of the person's camera. In metres. */
  readonly position?: Position;
  /** New rotation of the person's camera. */
  readonly rotation?: Rotation;
  /** Id of the object, or the place, to look at. */
  readonly target?: string | Vector3;
}

/** The schema's description of each attribute of {@link CameraOverride}. */
export const cameraOverrideAttributes: Group = {
  attributes: {
    landmarkObj: { shape: { kind: "text" } },
    object_type: { shape: { kind: "text", values: ["camera", "look-at", "teleport-to-landmark"] }, required: true },
    position: { shape: { kind: "group", group: positionAttributes }, unit: "metres" },
    rotation: { shape: { kind: "group", group: rotationAttributes } },
    target: { shape: { kind: "choice", shapes: [{ kind: "text" }, { kind: "group", group: vector3Attributes }] } },
  },
  prefixes: {
  },
};
