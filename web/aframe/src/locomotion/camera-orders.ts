/** Parses camera commands from programs: ARENA's `camera-override` and `rig`. Pure. */
import type { CameraOrder } from "@stoa/client";
import { quaternionOf } from "../mapping/pose.ts";
import { bag, text, type Xyz, xyz } from "../values.ts";

/** A viewing direction in radians; yaw 0 is along -z, pitch is positive upwards. */
export interface Gaze {
  readonly yawRad: number;
  readonly pitchRad: number;
}

/** A parsed camera command. */
export type ParsedCameraOrder =
  /** Moves the eyes to a position, turns them to a direction, or both. */
  | { readonly kind: "eyes"; readonly at: Xyz | null; readonly gaze: Gaze | null }
  /** Moves or turns the rig, the origin of the tracked room. */
  | { readonly kind: "rig"; readonly at: Xyz | null; readonly yawRad: number | null }
  | { readonly kind: "look"; readonly at: Xyz | string }
  | { readonly kind: "landmark"; readonly objectId: string };

/** Parses a command; `null` if it contains nothing to do. */
export function orderOf({ type, attributes }: CameraOrder): ParsedCameraOrder | null {
  const at = xyz(attributes.position) ?? null;
  const gaze = gazeOf(attributes.rotation);
  if (type === "rig") return at || gaze ? { kind: "rig", at, yawRad: gaze?.yawRad ?? null } : null;
  switch (attributes.object_type) {
    case "camera":
      return at || gaze ? { kind: "eyes", at, gaze } : null;
    case "look-at": {
      const target = bag(attributes.target) ? xyz(attributes.target) : idOf(attributes.target);
      return target === undefined ? null : { kind: "look", at: target };
    }
    case "teleport-to-landmark": {
      const objectId = idOf(attributes.landmarkObj);
      return objectId === undefined ? null : { kind: "landmark", objectId };
    }
    default:
      return null;
  }
}

/** The direction from one point to another; `null` if they coincide. */
export function lookTowards(from: Xyz, to: Xyz): Gaze | null {
  const [x, y, z] = [to.x - from.x, to.y - from.y, to.z - from.z];
  const level = Math.hypot(x, z);
  if (level < 1e-6 && Math.abs(y) < 1e-6) return null;
  return { yawRad: Math.atan2(-x, -z), pitchRad: Math.atan2(y, level) };
}

/** The viewing direction of a rotation, without roll. */
function gazeOf(value: unknown): Gaze | null {
  if (bag(value) === undefined) return null;
  const turned = quaternionOf(value);
  if (turned === undefined) return null;
  const { x, y, z, w } = turned;
  // The rotated -z axis.
  const [ahead, up, aside] = [-2 * (x * z + w * y), -2 * (y * z - w * x), -(1 - 2 * (x * x + y * y))];
  return lookTowards({ x: 0, y: 0, z: 0 }, { x: ahead, y: up, z: aside });
}

function idOf(value: unknown): string | undefined {
  const id = text(value, 256)?.replace(/^#/, "");
  return id === "" ? undefined : id;
}
