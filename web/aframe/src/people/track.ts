/** Where one thing is that somebody else moves: by the motion plane where it is told there, else by camera messages. Times in milliseconds of one clock. */
import type { Pose } from "@stoa/client";
import { INTERPOLATION_DELAY_MS, MOTION_DELAY_MS, MOTION_SLEW } from "../limits.ts";
import { type PoseArray, PoseBuffer } from "./interpolation.ts";

/** How far in the past lies what is shown of the motion plane: as far as news come late, but without a jump. */
export class MotionDelay {
  #ms = MOTION_DELAY_MS;
  #tickedMs = Number.NEGATIVE_INFINITY;

  get ms(): number {
    return this.#ms;
  }

  /** Once per render frame: goes towards what `jitterMs` asks for. */
  tick(nowMs: number, jitterMs: number): void {
    const most = Math.min(nowMs - this.#tickedMs, 1_000) * MOTION_SLEW;
    this.#tickedMs = nowMs;
    const wanted = MOTION_DELAY_MS + jitterMs;
    this.#ms += Math.min(most, Math.max(-most, wanted - this.#ms));
  }
}

/** The thing. Nothing is allocated after construction. */
export class Track {
  readonly #buffer = new PoseBuffer();
  readonly #scratch: PoseArray = new Float64Array(7);
  readonly #delay: Pick<MotionDelay, "ms">;
  #isByMotion = false;

  constructor(delay: Pick<MotionDelay, "ms">) {
    this.#delay = delay;
  }

  /** Whether it is known where it is. */
  get isKnown(): boolean {
    return !this.#buffer.empty;
  }

  /** Whether the motion plane tells of it. */
  get isByMotion(): boolean {
    return this.#isByMotion;
  }

  /** A message said where it is. What the motion plane tells is newer. */
  handleMessage(nowMs: number, pose: Pose): void {
    if (this.#isByMotion) return;
    this.#scratch.set(pose.position, 0);
    this.#scratch.set(pose.rotation, 3);
    this.#buffer.push(nowMs, this.#scratch, this.#shownMs(nowMs));
  }

  /** The motion plane said where it was at `atMs`. */
  handleMotion(nowMs: number, atMs: number, pose: PoseArray): void {
    this.#change(nowMs, true);
    this.#buffer.push(atMs, pose, this.#shownMs(nowMs));
  }

  /** The motion plane does not tell of it any more: it stays where it is until a message comes. */
  handleMotionLeft(nowMs: number): void {
    this.#change(nowMs, false);
  }

  /** From now on it is not known where it is. */
  forget(): void {
    this.#isByMotion = false;
    this.#buffer.clear();
  }

  /** Writes where to show it; leaves `out` as it is where nothing is known. */
  sample(nowMs: number, out: PoseArray): void {
    this.#buffer.sample(this.#shownMs(nowMs), out);
  }

  /** The same of what is told of no more: up to its newest pose, and no farther. True once that is shown. */
  sampleLast(nowMs: number, out: PoseArray): boolean {
    const shownMs = this.#shownMs(nowMs);
    this.#buffer.sample(Math.min(shownMs, this.#buffer.newestMs), out);
    return shownMs >= this.#buffer.newestMs;
  }

  #shownMs(nowMs: number): number {
    return nowMs - (this.#isByMotion ? this.#delay.ms : INTERPOLATION_DELAY_MS);
  }

  /** The two lie differently far in the past: from what is shown, the other goes on. */
  #change(nowMs: number, isByMotion: boolean): void {
    if (this.#isByMotion === isByMotion) return;
    this.sample(nowMs, this.#scratch);
    this.#isByMotion = isByMotion;
    if (this.isKnown) this.#buffer.restart(this.#shownMs(nowMs), this.#scratch);
  }
}
