/** Poses in whole millimetres and smallest-three rotations. Source: `spec/wire.md` section 3. */
import { MOTION_EXTENT_M } from "../limits.ts";

export type Vector3 = readonly [number, number, number];
/** x, y, z, w. */
export type Quaternion = readonly [number, number, number, number];

/** A quantized pose, within 0.5 mm an axis and 0.07° of the original. */
export interface PackedPose {
  /** Millimetres. */
  readonly position: Vector3;
  /** Five bytes. */
  readonly rotation: Uint8Array;
}

export const POSE_BYTES = 17;
export const ROTATION_BYTES = 5;
/** Largest value of a rotation's component, which has twelve bits. */
const STEPS = 4_095;

/** Rounds to the nearest integer, halves away from zero. */
function rounded(number: number): number {
  return number < 0 ? -Math.round(-number) : Math.round(number);
}

/** Converts metres to millimetres; `undefined` for an axis that is NaN or beyond `MOTION_EXTENT_M`. */
export function packPosition(metres: Vector3): Vector3 | undefined {
  if (!metres.every((axis) => Math.abs(axis) <= MOTION_EXTENT_M)) return undefined;
  // Adding 0 turns -0 into 0.
  return [rounded(metres[0] * 1_000) + 0, rounded(metres[1] * 1_000) + 0, rounded(metres[2] * 1_000) + 0];
}

/** Packs a quaternion of any length; `undefined` if the length is zero or not finite. */
export function packRotation(quaternion: Quaternion): Uint8Array | undefined {
  const [x, y, z, w] = quaternion;
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  if (!(length > 0 && length < Number.POSITIVE_INFINITY)) return undefined;
  let largest = 0;
  for (let which = 1; which < 4; which += 1)
    if (Math.abs(quaternion[which] ?? 0) > Math.abs(quaternion[largest] ?? 0)) largest = which;
  const sign = (quaternion[largest] ?? 0) < 0 ? -1 : 1;
  const [a, b, c] = quaternion
    .filter((_, which) => which !== largest)
    .map((part) => Math.min(Math.max(rounded(((sign * part) / length / Math.SQRT2 + 0.5) * STEPS), 0), STEPS));
  const small = [a ?? 0, b ?? 0, c ?? 0] as const;
  // Bitwise operators have 32 bits, and the rotation 38, so each byte is built alone.
  return Uint8Array.of(
    largest | ((small[0] & 0x3f) << 2),
    (small[0] >> 6) | ((small[1] & 0x03) << 6),
    (small[1] >> 2) & 0xff,
    (small[1] >> 10) | ((small[2] & 0x3f) << 2),
    small[2] >> 6,
  );
}

/** Unpacks the five bytes at `at` into a unit quaternion. All bytes are valid. */
export function unpackRotation(bytes: Uint8Array, at = 0): Quaternion {
  const out = new Float64Array(4);
  unpackRotationInto(bytes, at, out, 0);
  const [x = 0, y = 0, z = 0, w = 1] = out;
  return [x, y, z, w];
}

/** Unpacks into `out` at index `to`, without allocating. */
export function unpackRotationInto(bytes: Uint8Array, at: number, out: Float64Array, to: number): void {
  const b0 = bytes[at] ?? 0;
  const b1 = bytes[at + 1] ?? 0;
  const b3 = bytes[at + 3] ?? 0;
  const a = small((b0 >> 2) | (b1 << 6));
  const b = small((b1 >> 6) | ((bytes[at + 2] ?? 0) << 2) | (b3 << 10));
  const c = small((b3 >> 2) | ((bytes[at + 4] ?? 0) << 6));
  const rest = Math.sqrt(Math.max(0, 1 - a * a - b * b - c * c));
  const length = Math.sqrt(a * a + b * b + c * c + rest * rest);
  const largest = b0 & 3;
  out[to] = (largest === 0 ? rest : a) / length;
  out[to + 1] = (largest === 1 ? rest : largest === 0 ? a : b) / length;
  out[to + 2] = (largest === 2 ? rest : largest === 3 ? c : b) / length;
  out[to + 3] = (largest === 3 ? rest : c) / length;
}

function small(step: number): number {
  return ((step & STEPS) / STEPS - 0.5) * Math.SQRT2;
}

/** Converts to metres. */
export function unpackPosition(millimetres: Vector3): Vector3 {
  return [millimetres[0] / 1_000, millimetres[1] / 1_000, millimetres[2] / 1_000];
}
