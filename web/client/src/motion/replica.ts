/** What a client knows of everything that moves around it, from the frames that came. Pure: time is an argument, in milliseconds of any clock that goes evenly. */
import { MOTION_JITTER_MS_MAX, MOTION_LEAST_MS, MOTION_PATIENCE_MS } from "../limits.ts";
import type { Ack, Baseline, Change, Frame, Kind, PoseUpdate, Quality, Refused } from "./frame.ts";
import { type PackedPose, unpackRotation } from "./pose.ts";

/** Something that moves. */
export interface Mover {
  readonly id: number;
  readonly kind: Kind;
  /** Of a tracked object its id, of all else the person's idTag. */
  readonly name: string;
}

interface Followed extends Mover {
  /** The last two that came, the newer one first. */
  baselines: readonly Baseline[];
  /** The motion clock at its newest pose. */
  newestMs: number;
  /** Its newest pose. */
  pose: PackedPose | undefined;
  /** Since when an update could not be read for want of a baseline. */
  lacksSince: number | undefined;
}

/** How far the other number is behind this one, modulo 2^32; negative where it is ahead. */
export function ahead(one: number, other: number): number {
  return (one - other) | 0;
}

/** What moves around a client. */
export class MotionReplica {
  readonly #followed = new Map<number, Followed>();
  readonly #offset = new Least();
  readonly #jitter = new Jitter();
  #changes = 0;
  #newest = 0;
  #received = 0;
  #newestTimeMs = 0;
  #newestAt = 0;
  /** How much later than by the quickest way the newest frame came. */
  #late = 0;
  /** The motion clock without the end that it has after 49 days. */
  #clockMs: number | undefined;
  #seen = new Set<number>();
  readonly #told = new Float64Array(7);
  #asked = new Map<number, number>();

  quality: Quality | undefined;
  /** What this client may not move, by its index. */
  readonly refused = new Map<number, Refused>();
  onEntered: (mover: Mover) => void = () => undefined;
  onLeft: (mover: Mover) => void = () => undefined;
  /**
   * A newer pose of something: when it was there, by this client's clock, as if frames had come by the quickest way; then position in
   * metres and rotation in one array, which is the caller's.
   */
  onMoved: (mover: Mover, at: number, pose: Float64Array) => void = () => undefined;

  get movers(): Iterable<Mover> {
    return this.#followed.values();
  }

  /** What the server acknowledged last, with the time that it came. */
  acked: { readonly ack: Ack; readonly at: number } | undefined;

  /** Takes a frame; false where it came before, or too late for that to be known. */
  handleFrame(frame: Frame, now: number): boolean {
    if (!this.#take(frame, now)) return false;
    for (const part of frame.said) {
      if (part.said === "changes")
        for (const [at, change] of part.changes.entries()) this.#handleChange(part.first + at, change, frame);
      else if (part.said === "baseline") this.#handleBaseline(part.baseline, frame);
      else if (part.said === "pose") this.#handleUpdate(part.update, frame, now);
      else if (part.said === "quality") this.quality = part.quality;
      else if (part.said === "refused") this.refused.set(part.refused.index, part.refused);
      else if (part.said === "ack") this.acked = { ack: part.ack, at: now };
    }
    return true;
  }

  /** Something of that kind and name, with its newest pose. */
  find(kind: Kind, name: string): { readonly pose: PackedPose | undefined } | undefined {
    for (const followed of this.#followed.values())
      if (followed.kind === kind && followed.name === name) return followed;
    return undefined;
  }

  /** What is said of the frames that came; nothing before the first. */
  ack(now: number): Ack | undefined {
    if (this.#received === 0) return undefined;
    const heldMs = Math.min(Math.max(Math.round(now - this.#newestAt), 0), 65_535);
    return {
      newest: this.#newest,
      received: this.#received,
      timeMs: this.#newestTimeMs,
      heldMs,
      changes: this.#changes,
    };
  }

  /** Those whose baseline is to be asked for now. */
  takeAsked(now: number): number[] {
    const wanted: number[] = [];
    for (const followed of this.#followed.values()) {
      const askedAt = this.#asked.get(followed.id) ?? Number.NEGATIVE_INFINITY;
      if (followed.lacksSince === undefined || wanted.length >= 64) continue;
      if (now - followed.lacksSince < MOTION_PATIENCE_MS || now - askedAt < MOTION_PATIENCE_MS) continue;
      this.#asked.set(followed.id, now);
      wanted.push(followed.id);
    }
    return wanted;
  }

  /** How late frames come, of late, in milliseconds: what is drawn is to lie as much in the past, and a tick more. */
  get jitterMs(): number {
    return this.#jitter.value;
  }

  #take(frame: Frame, now: number): boolean {
    if (this.#received === 0) this.#newest = (frame.sequence - 1) >>> 0;
    const lead = ahead(frame.sequence, this.#newest);
    if (lead <= -1_024 || this.#seen.has(frame.sequence)) return false;
    this.#seen.add(frame.sequence);
    this.#received = (this.#received + 1) >>> 0;
    if (lead > 0) {
      [this.#newest, this.#newestTimeMs, this.#newestAt] = [frame.sequence, frame.timeMs, now];
      if (this.#seen.size > 4_096)
        for (const old of this.#seen) if (ahead(old, this.#newest) <= -1_024) this.#seen.delete(old);
    }
    const late = this.#offset.see(now - this.#unwrapped(frame.timeMs), now);
    if (lead > 0) this.#late = late;
    this.#jitter.see(late);
    return true;
  }

  #handleChange(number: number, change: Change, frame: Frame): void {
    if (number !== this.#changes + 1) return;
    this.#changes = number;
    if ("left" in change) {
      const gone = this.#followed.get(change.left);
      this.#followed.delete(change.left);
      this.#asked.delete(change.left);
      if (gone !== undefined) this.onLeft(gone);
      return;
    }
    const { id, kind, name } = change;
    const newestMs = (frame.timeMs - change.ageMs - 1) >>> 0;
    const followed: Followed = {
      id,
      kind,
      name,
      baselines: [change],
      newestMs,
      pose: undefined,
      lacksSince: undefined,
    };
    this.#followed.set(id, followed);
    this.onEntered(followed);
    this.#move(followed, change.pose, frame.timeMs - change.ageMs);
  }

  #handleBaseline(baseline: Baseline, frame: Frame): void {
    const followed = this.#followed.get(baseline.id);
    if (followed === undefined) return;
    followed.lacksSince = undefined;
    this.#asked.delete(baseline.id);
    const others = followed.baselines.filter(({ generation }) => generation !== baseline.generation);
    followed.baselines = [baseline, ...others.slice(0, 1)];
    this.#move(followed, baseline.pose, frame.timeMs - baseline.ageMs);
  }

  #handleUpdate(update: PoseUpdate, frame: Frame, now: number): void {
    const followed = this.#followed.get(update.id);
    if (followed === undefined) return;
    const baseline = followed.baselines.find(({ generation }) => generation === update.generation);
    if (baseline === undefined) {
      followed.lacksSince ??= now;
      return;
    }
    const [x, y, z] = baseline.pose.position;
    const [dx, dy, dz] = update.offset;
    const rotation = update.rotation ?? baseline.pose.rotation;
    this.#move(
      followed,
      { position: [(x + dx) | 0, (y + dy) | 0, (z + dz) | 0], rotation },
      frame.timeMs - update.ageMs,
    );
  }

  #unwrapped(timeMs: number): number {
    this.#clockMs = this.#clockMs === undefined ? timeMs : this.#clockMs + ahead(timeMs, this.#clockMs >>> 0);
    return this.#clockMs;
  }

  #move(followed: Followed, pose: PackedPose, takenMs: number): void {
    if (ahead(takenMs, followed.newestMs) <= 0) return;
    followed.newestMs = takenMs >>> 0;
    followed.pose = pose;
    const at = this.#newestAt + ahead(takenMs, this.#newestTimeMs) - this.#late;
    const told = this.#told;
    for (let axis = 0; axis < 3; axis += 1) told[axis] = (pose.position[axis] ?? 0) / 1_000;
    told.set(unpackRotation(pose.rotation), 3);
    this.onMoved(followed, at, told);
  }
}

/** The least of what was seen in the last span or two. */
class Least {
  #began = Number.NEGATIVE_INFINITY;
  #now = Number.POSITIVE_INFINITY;
  #before = Number.POSITIVE_INFINITY;

  get value(): number {
    const least = Math.min(this.#now, this.#before);
    return Number.isFinite(least) ? least : 0;
  }

  /** How much more than the least this one is. */
  see(seen: number, now: number): number {
    if (now - this.#began >= MOTION_LEAST_MS) {
      [this.#before, this.#now, this.#began] = [this.#now, Number.POSITIVE_INFINITY, now];
    }
    this.#now = Math.min(this.#now, seen);
    return seen - this.value;
  }
}

/** How late frames come, of late: rises at once, falls slowly. */
class Jitter {
  #value = 0;

  get value(): number {
    return this.#value;
  }

  see(lateMs: number): void {
    const bounded = Math.min(lateMs, MOTION_JITTER_MS_MAX);
    this.#value = bounded > this.#value ? bounded : this.#value + (bounded - this.#value) / 256;
  }
}
