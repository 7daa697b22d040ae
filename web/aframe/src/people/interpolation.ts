/**
 * Interpolates movement between a few poses per second. Times in milliseconds on any one clock; allocates nothing
 * after construction.
 */
import { EXTRAPOLATION_MAX_MS, POSE_GAP_MIN_MS, POSES_KEPT } from "../limits.ts";

/** Position xyz, then rotation xyzw, in one array. */
export type PoseArray = Float64Array;

const SIZE = 7;

/**
 * A jitter buffer of poses. The caller samples in the past, by a delay of its choice, so that late messages still
 * count.
 */
export class PoseBuffer {
  readonly #times = new Float64Array(POSES_KEPT);
  readonly #poses = new Float64Array(POSES_KEPT * SIZE);
  readonly #shown: PoseArray = new Float64Array(SIZE);
  #count = 0;
  /**
   * Whether the buffer restarted from a displayed pose. The step from a displayed to a received pose gives no velocity
   * to extrapolate.
   */
  #anew = false;

  get empty(): boolean {
    return this.#count === 0;
  }

  /** Time of the newest pose. */
  get newestMs(): number {
    return this.#time(this.#count - 1);
  }

  /** Adds the pose of `timeMs` while the pose of `shownMs` is displayed. */
  push(timeMs: number, pose: ArrayLike<number>, shownMs: number): void {
    const newest = this.#count === 0 ? Number.NEGATIVE_INFINITY : this.#time(this.#count - 1);
    if (this.#count > 0 && newest < shownMs) {
      // Playback has passed the newest pose. Restarting from the displayed pose avoids a jump.
      this.sample(shownMs, this.#shown);
      this.restart(shownMs, this.#shown);
    } else if (timeMs - newest < POSE_GAP_MIN_MS && this.#count > 1) {
      this.#poses.set(pose, (this.#count - 1) * SIZE);
      return;
    }
    const before = this.#count === 0 ? Number.NEGATIVE_INFINITY : this.#time(this.#count - 1);
    this.#append(Math.max(timeMs, before + POSE_GAP_MIN_MS), pose);
  }

  clear(): void {
    this.#count = 0;
    this.#anew = false;
  }

  /** Drops all poses and restarts from the displayed one, at `shownMs`. */
  restart(shownMs: number, pose: ArrayLike<number>): void {
    this.#count = 0;
    this.#anew = true;
    this.#append(shownMs, pose);
  }

  /** Writes the pose at time `at` into `out`; leaves `out` unchanged if the buffer is empty. */
  sample(at: number, out: PoseArray): void {
    if (this.#count === 0) return;
    const last = this.#count - 1;
    if (this.#count === 1 || at <= this.#time(0)) {
      this.#copy(0, out);
      return;
    }
    let later = 1;
    while (later < last && this.#time(later) < at) later += 1;
    const start = this.#time(later - 1);
    const span = this.#time(later) - start;
    const beyondMs = this.#anew && later === 1 ? 0 : EXTRAPOLATION_MAX_MS;
    const end = Math.min(at, this.#time(later) + beyondMs);
    this.#mix(later - 1, span > 0 ? (end - start) / span : 1, out);
  }

  #time(index: number): number {
    return this.#times[index] ?? 0;
  }

  #append(timeMs: number, pose: ArrayLike<number>): void {
    if (this.#count === POSES_KEPT) {
      this.#times.copyWithin(0, 1);
      this.#poses.copyWithin(0, SIZE);
      this.#count -= 1;
      this.#anew = false;
    }
    this.#times[this.#count] = timeMs;
    this.#poses.set(pose, this.#count * SIZE);
    this.#count += 1;
  }

  #copy(index: number, out: PoseArray): void {
    for (let part = 0; part < SIZE; part += 1) out[part] = this.#part(index, part);
  }

  #part(index: number, part: number): number {
    return this.#poses[index * SIZE + part] ?? 0;
  }

  /** Interpolates position linearly and rotation along the shorter arc. Only the position is extrapolated. */
  #mix(index: number, fraction: number, out: PoseArray): void {
    for (let part = 0; part < 3; part += 1) {
      out[part] = this.#part(index, part) * (1 - fraction) + this.#part(index + 1, part) * fraction;
    }
    this.#slerp(index, Math.min(1, fraction), out);
  }

  /** Spherical interpolation. A short arc is interpolated linearly: at 16° the error is 0.005°. */
  #slerp(index: number, fraction: number, out: PoseArray): void {
    let dot = 0;
    for (let part = 3; part < SIZE; part += 1) dot += this.#part(index, part) * this.#part(index + 1, part);
    const sign = dot < 0 ? -1 : 1;
    const cosine = Math.min(1, Math.abs(dot));
    let from = 1 - fraction;
    let to = sign * fraction;
    if (cosine < STRAIGHT_COSINE) {
      const angle = Math.acos(cosine);
      const sine = Math.sin(angle);
      from = Math.sin((1 - fraction) * angle) / sine;
      to = (sign * Math.sin(fraction * angle)) / sine;
    }
    let length = 0;
    for (let part = 3; part < SIZE; part += 1) {
      const mixed = this.#part(index, part) * from + this.#part(index + 1, part) * to;
      out[part] = mixed;
      length += mixed * mixed;
    }
    const scale = length > 0 ? 1 / Math.sqrt(length) : 1;
    for (let part = 3; part < SIZE; part += 1) out[part] = (out[part] ?? 0) * scale;
  }
}

/** Cosine of half the largest angle between rotations that are interpolated linearly. */
const STRAIGHT_COSINE = 0.99;
