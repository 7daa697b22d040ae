/** Where something is, seen from somebody: metres, right-handed, y up; a yaw of 0 looks along -z, and grows to the left. Pure. */
import { EYE_HEIGHT_M } from "@stoa/aframe/meaning";
import type { Quaternion, Vector3 } from "@stoa/client";

/** Eight ways around oneself, from ahead to the left; and what is right here. */
export const WAYS = [
  "ahead",
  "aheadLeft",
  "left",
  "behindLeft",
  "behind",
  "behindRight",
  "right",
  "aheadRight",
] as const;

/** A way around oneself. */
export type DirectionWord = (typeof WAYS)[number] | "here";

/** Where one stands, and which way one looks. */
export interface Viewpoint {
  readonly position: Vector3;
  readonly yawRad: number;
}

/** How far, and which way. */
export interface Bearing {
  readonly distanceM: number;
  readonly way: DirectionWord;
  /** How much higher it is than the eyes, or (below 0) lower than the feet, in metres. */
  readonly upM: number;
}

/** What is nearer than this has no direction. */
const HERE_M = 0.5;

/** Where a place is, seen from where one stands. */
export function bearingOf({ position, yawRad }: Viewpoint, place: Vector3): Bearing {
  const [x, y, z] = [place[0] - position[0], place[1] - position[1], place[2] - position[2]];
  const distanceM = Math.hypot(x, y, z);
  const across = Math.hypot(x, z);
  // What stands on one's own floor is no lower than oneself.
  const upM = y > 0 ? y : Math.min(0, y + EYE_HEIGHT_M);
  if (across < HERE_M) return { distanceM, way: "here", upM };
  const turn = Math.round((yawTowards(x, z) - yawRad) / (Math.PI / 4));
  return { distanceM, way: WAYS[((turn % 8) + 8) % 8] ?? "ahead", upM };
}

/** The yaw that looks along x and z. */
export function yawTowards(x: number, z: number): number {
  return Math.atan2(-x, -z);
}

/** The yaw of a head. */
export function yawOf([x, y, z, w]: Quaternion): number {
  return yawTowards(-2 * (x * z + w * y), -(1 - 2 * (x * x + y * y)));
}

/** The eighth of a turn that is next to an angle, counted from ahead to the left. */
export function eighthOf(yawRad: number): number {
  return ((Math.round(yawRad / (Math.PI / 4)) % 8) + 8) % 8;
}

/** Turns a point. */
export function turned([x, y, z]: Vector3, [qx, qy, qz, qw]: Quaternion): Vector3 {
  const [tx, ty, tz] = [2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)];
  return [x + qw * tx + qy * tz - qz * ty, y + qw * ty + qz * tx - qx * tz, z + qw * tz + qx * ty - qy * tx];
}

/** The turn `inner` within the turn `outer`. */
export function turnedBy([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion): Quaternion {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}
