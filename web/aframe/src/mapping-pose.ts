/** Position, rotation, scale, visibility. */
import type { Settings } from "./mapping.ts";
import { type Bag, bag, finite, flag, type Xyz, xyz } from "./values.ts";

const DEGREES = 180 / Math.PI;

/** What is given; position, rotation and scale go back to their defaults by their absence. */
export function poseSettings(attributes: Bag): Settings {
  const settings: Record<string, unknown> = {};
  const position = xyz(attributes.position);
  const rotation = eulerOf(attributes.rotation);
  const scale = xyz(attributes.scale, 1);
  const visible = flag(attributes.visible);
  if (position) settings.position = position;
  if (rotation) settings.rotation = rotation;
  if (scale) settings.scale = scale;
  if (visible !== undefined) settings.visible = visible;
  return settings;
}

/** A-Frame's rotation, in degrees: ARENA's is a quaternion, or degrees already where there is no `w`. */
export function eulerOf(value: unknown): Xyz | undefined {
  const rotation = bag(value);
  if (!rotation || rotation.w === undefined) return xyz(value);
  const [x, y, z, w] = [finite(rotation.x), finite(rotation.y), finite(rotation.z), finite(rotation.w)];
  const length = Math.hypot(x ?? 0, y ?? 0, z ?? 0, w ?? 0);
  if (length === 0 || !Number.isFinite(length)) return undefined;
  return eulerYxz((x ?? 0) / length, (y ?? 0) / length, (z ?? 0) / length, (w ?? 0) / length);
}

/** Degrees in A-Frame's order (yaw, then pitch, then roll). Source: the rotation matrix of a unit quaternion, taken apart. */
function eulerYxz(x: number, y: number, z: number, w: number): Xyz {
  const sinPitch = Math.max(-1, Math.min(1, 2 * (w * x - y * z)));
  const pitch = Math.asin(sinPitch);
  if (Math.abs(sinPitch) > 0.999_999_9) {
    // Straight up or down: yaw and roll turn about the same axis, so all of it is yaw.
    return degrees(pitch, Math.atan2(2 * (w * y - x * z), 1 - 2 * (y * y + z * z)), 0);
  }
  const yaw = Math.atan2(2 * (w * y + x * z), 1 - 2 * (x * x + y * y));
  return degrees(pitch, yaw, Math.atan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z)));
}

function degrees(x: number, y: number, z: number): Xyz {
  return { x: x * DEGREES, y: y * DEGREES, z: z * DEGREES };
}
