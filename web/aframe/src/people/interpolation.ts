/** Smooth movement out of a few poses a second. Times in milliseconds on any one clock; nothing is allocated after construction. */
import { EXTRAPOLATION_MAX_MS, POSE_GAP_MIN_MS, POSES_KEPT } from "../limits.ts";

/** Position xyz, then rotation xyzw, in one array. */
export type PoseArray = Float64Array;

const SIZE = 7;

/** The poses of one thing that moves. What is shown lies in the past, so that news may be late: by how much, its owner says. */
export class PoseBuffer {
  readonly #times = new Float64Array(POSES_KEPT);
  readonly #poses = new Float64Array(POSES_KEPT * SIZE);
  readonly #shown: PoseArray = new Float64Array(SIZE);
  #count = 0;
  /** Whether the first pose is one that was shown, not told: the way from it says nothing of a speed. */
  #anew = false;

  /** Whether there is anything to show. */
  get empty(): boolean {
    return this.#count === 0;
  }

  /** When the newest pose was there. */
  get newestMs(): number {
    return this.#time(this.#count - 1);
  }

  /** Takes the pose of `timeMs`, while that of `shownMs` is shown. */
  push(timeMs: number, pose: ArrayLike<number>, shownMs: number): void {
    const newest = this.#count === 0 ? Number.NEGATIVE_INFINITY : this.#time(this.#count - 1);
    if (this.#count > 0 && newest < shownMs) {
      // What is shown has run past all that was known: begin anew from exactly what is shown, so that nothing jumps.
      this.sample(shownMs, this.#shown);
      this.restart(shownMs, this.#shown);
    } else if (timeMs - newest < POSE_GAP_MIN_MS && this.#count > 1) {
      this.#poses.set(pose, (this.#count - 1) * SIZE);
      return;
    }
    const before = this.#count === 0 ? Number.NEGATIVE_INFINITY : this.#time(this.#count - 1);
    this.#append(Math.max(timeMs, before + POSE_GAP_MIN_MS), pose);
  }

  /** Forgets everything. */
  clear(): void {
    this.#count = 0;
  }

  /** Forgets all but the pose that is shown, at `shownMs`. */
  restart(shownMs: number, pose: ArrayLike<number>): void {
    this.#count = 0;
    this.#anew = true;
    this.#append(shownMs, pose);
  }

  /** Writes the pose of `at` into `out`; leaves it as it is where nothing is known. */
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

  /** Position along the line, rotation along the shorter arc; only the position goes on past the later pose. */
  #mix(index: number, fraction: number, out: PoseArray): void {
    for (let part = 0; part < 3; part += 1) {
      out[part] = this.#part(index, part) * (1 - fraction) + this.#part(index + 1, part) * fraction;
    }
    this.#slerp(index, Math.min(1, fraction), out);
  }

  /** Along the arc; a short one is straight: at 16 degrees that is wrong by a fiftieth of one. */
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

/** Of half the angle between two rotations that are mixed as if the arc were straight. */
const STRAIGHT_COSINE = 0.99;
