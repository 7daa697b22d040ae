/** Rotations by unit quaternions. */
import type { Quaternion, Vector3 } from "./types.ts";

/** A vector rotated by a unit quaternion. */
export function rotated([x, y, z]: Vector3, [i, j, k, w]: Quaternion): Vector3 {
  const [cx, cy, cz] = [2 * (j * z - k * y), 2 * (k * x - i * z), 2 * (i * y - j * x)];
  return [x + w * cx + j * cz - k * cy, y + w * cy + k * cx - i * cz, z + w * cz + i * cy - j * cx];
}
