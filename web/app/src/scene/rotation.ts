/** Converts between the wire's quaternions and degrees for people, in A-Frame's order: y, then x, then z. */
import type { Quaternion, Vector3 } from "@stoa/client";

const DEGREES = 180 / Math.PI;

/** Degrees about x, y and z of a unit quaternion. */
export function degreesOf([x, y, z, w]: Quaternion): Vector3 {
  const sinX = Math.max(-1, Math.min(1, 2 * (w * x - y * z)));
  const turnX = Math.asin(sinX);
  // Gimbal lock: looking straight up or down, y and z rotate about the same axis, so y gets the whole rotation.
  const locked = Math.abs(sinX) > 0.999_999;
  const turnY = locked
    ? Math.atan2(2 * (w * y - x * z), 1 - 2 * (y * y + z * z))
    : Math.atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y));
  const turnZ = locked ? 0 : Math.atan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z));
  return [turnX * DEGREES, turnY * DEGREES, turnZ * DEGREES];
}

/** The unit quaternion of degrees about x, y and z. */
export function quaternionOf([x, y, z]: Vector3): Quaternion {
  const half = 0.5 / DEGREES;
  const [sx, cx, sy, cy, sz, cz] = [x, y, z].flatMap((angle) => [Math.sin(angle * half), Math.cos(angle * half)]);
  const [a = 0, b = 1, c = 0, d = 1, e = 0, f = 1] = [sx, cx, sy, cy, sz, cz];
  return [a * d * f + b * c * e, b * c * f - a * d * e, b * d * e - a * c * f, b * d * f + a * c * e];
}
