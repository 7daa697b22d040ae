/**
 * Computes direction and distance from a viewpoint. Metres, right-handed, y up; a yaw of 0 looks along -z and grows to
 * the left. Pure functions.
 */
import { EYE_HEIGHT_M } from "@stoa/aframe/meaning";
import type { Quaternion, Vector3 } from "@stoa/client";

/** Eight directions from ahead, counted to the left. */
export const DIRECTIONS = [
  "ahead",
  "aheadLeft",
  "left",
  "behindLeft",
  "behind",
  "behindRight",
  "right",
  "aheadRight",
] as const;

/** A direction, or `here`. */
export type DirectionWord = (typeof DIRECTIONS)[number] | "here";

/** A position and a yaw. */
export interface Viewpoint {
  readonly position: Vector3;
  readonly yawRad: number;
}

/** Distance and direction. */
export interface Bearing {
  readonly distanceM: number;
  readonly direction: DirectionWord;
  /** Height above the eyes, or (below 0) below the feet, in metres. */
  readonly upM: number;
}

/** Below this horizontal distance there is no direction. */
const HERE_M = 0.5;

/** The bearing of a position from a viewpoint. */
export function bearingOf({ position, yawRad }: Viewpoint, place: Vector3): Bearing {
  const [x, y, z] = [place[0] - position[0], place[1] - position[1], place[2] - position[2]];
  const distanceM = Math.hypot(x, y, z);
  const across = Math.hypot(x, z);
  // An object on the viewer's own floor has a height of 0.
  const upM = y > 0 ? y : Math.min(0, y + EYE_HEIGHT_M);
  if (across < HERE_M) return { distanceM, direction: "here", upM };
  const turn = Math.round((yawTowards(x, z) - yawRad) / (Math.PI / 4));
  return { distanceM, direction: DIRECTIONS[((turn % 8) + 8) % 8] ?? "ahead", upM };
}

/** The yaw that looks along x and z. */
export function yawTowards(x: number, z: number): number {
  return Math.atan2(-x, -z);
}

/** The yaw of a head's orientation. */
export function yawOf([x, y, z, w]: Quaternion): number {
  return yawTowards(-2 * (x * z + w * y), -(1 - 2 * (x * x + y * y)));
}

/** The nearest eighth of a turn, counted from ahead to the left. */
export function eighthOf(yawRad: number): number {
  return ((Math.round(yawRad / (Math.PI / 4)) % 8) + 8) % 8;
}

/** The product of two rotations, which applies the second one first. */
export function turnedBy([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion): Quaternion {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}
