/**
 * The pose of one head, hand or object moved remotely, from the motion plane if it has a mover there, else from
 * messages. Times in milliseconds of one clock.
 */
import type { Pose } from "@stoa/client";
import { INTERPOLATION_DELAY_MS, MOTION_DELAY_MS, MOTION_SLEW } from "../limits.ts";
import { type PoseArray, PoseBuffer } from "./interpolation.ts";

/** Playback delay of the motion plane. It follows the measured jitter gradually, without jumps. */
export class MotionDelay {
  #ms = MOTION_DELAY_MS;
  #tickedMs = Number.NEGATIVE_INFINITY;

  get ms(): number {
    return this.#ms;
  }

  /** Once per render frame: approaches the delay that `jitterMs` needs. */
  tick(nowMs: number, jitterMs: number): void {
    const most = Math.min(nowMs - this.#tickedMs, 1_000) * MOTION_SLEW;
    this.#tickedMs = nowMs;
    const wanted = MOTION_DELAY_MS + jitterMs;
    this.#ms += Math.min(most, Math.max(-most, wanted - this.#ms));
  }
}

/** The track of one head, hand or object. Allocates nothing after construction. */
export class PoseTrack {
  readonly #buffer = new PoseBuffer();
  readonly #scratch: PoseArray = new Float64Array(7);
  readonly #delay: Pick<MotionDelay, "ms">;
  #isByMotion = false;

  constructor(delay: Pick<MotionDelay, "ms">) {
    this.#delay = delay;
  }

  /** Whether a pose is known. */
  get isKnown(): boolean {
    return !this.#buffer.empty;
  }

  /** Whether the motion plane is the source of the poses. */
  get isByMotion(): boolean {
    return this.#isByMotion;
  }

  /** Applies a pose from a message, unless the motion plane, which is newer, moves it. */
  handleMessage(nowMs: number, pose: Pose): void {
    if (this.#isByMotion) return;
    this.#scratch.set(pose.position, 0);
    this.#scratch.set(pose.rotation, 3);
    this.#buffer.push(nowMs, this.#scratch, this.#shownMs(nowMs));
  }

  /** Applies a pose from the motion plane, valid at `atMs`. */
  handleMotion(nowMs: number, atMs: number, pose: PoseArray): void {
    this.#change(nowMs, true);
    this.#buffer.push(atMs, pose, this.#shownMs(nowMs));
  }

  /** The mover left the motion plane: the displayed pose remains until a message arrives. */
  handleMotionLeft(nowMs: number): void {
    this.#change(nowMs, false);
  }

  /** Drops all poses. */
  forget(): void {
    this.#isByMotion = false;
    this.#buffer.clear();
  }

  /** Writes the pose to show; leaves `out` unchanged if none is known. */
  sample(nowMs: number, out: PoseArray): void {
    this.#buffer.sample(this.#shownMs(nowMs), out);
  }

  /**
   * Samples after the mover has left: stops at the newest pose, without extrapolation. Returns true once that pose is
   * reached.
   */
  sampleLast(nowMs: number, out: PoseArray): boolean {
    const shownMs = this.#shownMs(nowMs);
    this.#buffer.sample(Math.min(shownMs, this.#buffer.newestMs), out);
    return shownMs >= this.#buffer.newestMs;
  }

  #shownMs(nowMs: number): number {
    return nowMs - (this.#isByMotion ? this.#delay.ms : INTERPOLATION_DELAY_MS);
  }

  /** Switches between messages and motion plane, whose delays differ. Playback continues from the displayed pose. */
  #change(nowMs: number, isByMotion: boolean): void {
    if (this.#isByMotion === isByMotion) return;
    this.sample(nowMs, this.#scratch);
    this.#isByMotion = isByMotion;
    if (this.isKnown) this.#buffer.restart(this.#shownMs(nowMs), this.#scratch);
  }
}
