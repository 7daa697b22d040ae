/**
 * Maps position, rotation, scale and visibility to A-Frame's settings, and converts quaternions to Euler angles in
 * degrees.
 */
import { bag, finite, flag, type JsonObject, type Xyz, xyz } from "../values.ts";
import type { SettingsByComponent } from "./attribute-readers.ts";

const DEGREES = 180 / Math.PI;

/** The pose attributes present; A-Frame resets absent ones to their defaults. */
export function poseSettings(attributes: JsonObject): SettingsByComponent {
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

/** The id in `parent`, or `null`. */
export function parentOf(attributes: JsonObject): string | null {
  return typeof attributes.parent === "string" && attributes.parent !== "" ? attributes.parent : null;
}

/** A unit quaternion, from a quaternion or degrees. */
export function quaternionOf(value: unknown): (Xyz & { readonly w: number }) | undefined {
  const rotation = bag(value);
  if (rotation?.w !== undefined) return unit(rotation);
  const degreesOf = xyz(value);
  return degreesOf && fromEuler(degreesOf);
}

function unit(rotation: JsonObject): (Xyz & { readonly w: number }) | undefined {
  const [x = 0, y = 0, z = 0, w = 0] = [rotation.x, rotation.y, rotation.z, rotation.w].map(finite);
  const length = Math.hypot(x, y, z, w);
  if (length === 0 || !Number.isFinite(length)) return undefined;
  return { x: x / length, y: y / length, z: z / length, w: w / length };
}

/** Converts A-Frame's degrees (yaw, then pitch, then roll) to a unit quaternion. */
function fromEuler({ x, y, z }: Xyz): Xyz & { readonly w: number } {
  const half = 0.5 / DEGREES;
  const [sx, sy, sz] = [Math.sin(x * half), Math.sin(y * half), Math.sin(z * half)];
  const [cx, cy, cz] = [Math.cos(x * half), Math.cos(y * half), Math.cos(z * half)];
  return {
    x: sx * cy * cz + cx * sy * sz,
    y: cx * sy * cz - sx * cy * sz,
    z: cx * cy * sz - sx * sy * cz,
    w: cx * cy * cz + sx * sy * sz,
  };
}

/** A-Frame's rotation in degrees. ARENA sends a quaternion, or degrees if there is no `w`. */
export function eulerOf(value: unknown): Xyz | undefined {
  const rotation = bag(value);
  if (!rotation || rotation.w === undefined) return xyz(value);
  const turned = unit(rotation);
  return turned && eulerYxz(turned.x, turned.y, turned.z, turned.w);
}

/** Degrees in A-Frame's order (yaw, then pitch, then roll), extracted from the rotation matrix of a unit quaternion. */
function eulerYxz(x: number, y: number, z: number, w: number): Xyz {
  const sinPitch = Math.max(-1, Math.min(1, 2 * (w * x - y * z)));
  const pitch = Math.asin(sinPitch);
  if (Math.abs(sinPitch) > 0.999_999_9) {
    // Gimbal lock: yaw and roll share an axis, so yaw takes the whole rotation.
    return degrees(pitch, Math.atan2(2 * (w * y - x * z), 1 - 2 * (y * y + z * z)), 0);
  }
  const yaw = Math.atan2(2 * (w * y + x * z), 1 - 2 * (x * x + y * y));
  return degrees(pitch, yaw, Math.atan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z)));
}

function degrees(x: number, y: number, z: number): Xyz {
  return { x: x * DEGREES, y: y * DEGREES, z: z * DEGREES };
}
