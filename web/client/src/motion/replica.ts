/**
 * Rebuilds the movers of a scene from received frames, for one connection, and measures lateness. Pure: time is an
 * argument, in monotonic milliseconds.
 */
import {
  MOTION_ARRIVALS_MAX,
  MOTION_ASKED_MAX,
  MOTION_JITTER_FALL_MS,
  MOTION_JITTER_MS_MAX,
  MOTION_PATIENCE_MS,
  MOTION_TRANSIT_WINDOW_MS,
  MOTION_WINDOW,
} from "../limits.ts";
import {
  type Ack,
  type ConnectionQuality,
  entriesOf,
  type MoverKindByte,
  type MoverRefusal,
  PART,
  type PoseBaseline,
  type UndecodedFrame,
  type UndecodedFramePart,
  type VisibilityChange,
} from "./frame.ts";
import { type PackedPose, ROTATION_BYTES, unpackRotationInto } from "./pose.ts";

/** A head, hand or object in the interest set. */
export interface ReplicaMover {
  readonly id: number;
  readonly kind: MoverKindByte;
  /** The id of a tracked object; for a head or hand the person's idTag. */
  readonly name: string;
}

interface MoverDecodeState extends ReplicaMover {
  /** The two latest baselines, the newer first. */
  baselines: readonly PoseBaseline[];
  /** Motion clock of the newest pose. */
  newestMs: number;
  /** The newest pose: millimetres and a packed rotation. */
  readonly position: Int32Array;
  readonly rotation: Uint8Array;
  /** Time of the first update whose baseline is missing. */
  lacksSince: number | undefined;
}

/** `one - other` modulo 2^32, as a signed number. */
export function ahead(one: number, other: number): number {
  return (one - other) | 0;
}

/** The movers of a scene, as far as the realm sends them. */
export class MotionReplica {
  readonly #followed = new Map<number, MoverDecodeState>();
  readonly #shortestTransit = new WindowMinimum();
  readonly #jitter = new JitterEstimator();
  #changes = 0;
  #newest = 0;
  #received = 0;
  #newestTimeMs = 0;
  #newestAt = 0;
  /** Delay of the newest frame beyond the shortest transit time. */
  #late = 0;
  /** The motion clock without its wrap-around after 49 days. */
  #clockMs: number | undefined;
  #recentSequences = new Set<number>();
  /** Frames that arrived since the last report, with the time in quarters of a millisecond. */
  #arrivals: [sequence: number, arrivedQ: number][] = [];
  readonly #decodedPose = new Float64Array(7);
  #refused: MoverRefusal[] = [];
  /** Movers with a missing baseline, and the time of each request by id. */
  readonly #lacking = new Set<MoverDecodeState>();
  readonly #asked = new Map<number, number>();

  quality: ConnectionQuality | undefined;
  onEntered: (mover: ReplicaMover) => void = () => undefined;
  onLeft: (mover: ReplicaMover) => void = () => undefined;
  /**
   * Called with a newer pose. `at` is its time on this client's clock, as if its frame had the shortest transit time.
   * The array holds the position in metres and the rotation, and is reused after the call.
   */
  onMoved: (mover: ReplicaMover, at: number, pose: Float64Array) => void = () => undefined;

  get movers(): Iterable<ReplicaMover> {
    return this.#followed.values();
  }

  /**
   * The acknowledgement in the last applied frame that had one, and its arrival time. A late frame may replace a newer
   * acknowledgement by an older one.
   */
  acked: { readonly ack: Ack; readonly at: number } | undefined;

  /** Applies a frame. Returns false for a duplicate or a frame behind the window. */
  handleFrame(frame: UndecodedFrame, now: number): boolean {
    if (!this.#accept(frame, now)) return false;
    for (const part of frame.parts) {
      if (part.kind === PART.poses) this.#handlePoses(part, frame, now);
      else this.#handlePart(part, frame, now);
    }
    return true;
  }

  /** The newest pose of a mover with that kind and name, and with an id outside of `others`. */
  find(kind: MoverKindByte, name: string, others: ReadonlySet<number>): PackedPose | undefined {
    for (const { id, kind: found, name: named, position, rotation } of this.#followed.values()) {
      const [x = 0, y = 0, z = 0] = position;
      if (found === kind && named === name && !others.has(id)) return { position: [x, y, z], rotation };
    }
    return undefined;
  }

  /** Ids of the movers with that kind and name. */
  idsOf(kind: MoverKindByte, name: string): number[] {
    const found = [...this.#followed.values()].filter((one) => one.kind === kind && one.name === name);
    return found.map(({ id }) => id);
  }

  /** Takes the new refusals. */
  takeRefused(): readonly MoverRefusal[] {
    const refused = this.#refused;
    this.#refused = [];
    return refused;
  }

  /** Takes the frames that arrived since the last call, by ascending sequence. */
  takeArrivals(): readonly (readonly [sequence: number, arrivedQ: number])[] {
    const arrivals = this.#arrivals.sort(([one], [other]) => ahead(one, other));
    this.#arrivals = [];
    return arrivals;
  }

  /** The acknowledgement of received frames; `undefined` before the first. */
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

  /** Takes the ids of movers with a missing baseline that is due for a request. */
  takeBaselineRequests(now: number): number[] {
    const wanted: number[] = [];
    for (const followed of this.#lacking) {
      const askedAt = this.#asked.get(followed.id) ?? Number.NEGATIVE_INFINITY;
      if (followed.lacksSince === undefined || wanted.length >= MOTION_ASKED_MAX) continue;
      if (now - followed.lacksSince < MOTION_PATIENCE_MS || now - askedAt < MOTION_PATIENCE_MS) continue;
      this.#asked.set(followed.id, now);
      wanted.push(followed.id);
    }
    return wanted;
  }

  /** Recent jitter in milliseconds. Poses should be drawn this much in the past, plus two ticks. */
  get jitterMs(): number {
    return this.#jitter.value;
  }

  #handlePart(part: UndecodedFramePart, frame: UndecodedFrame, now: number): void {
    for (const entry of entriesOf(part)) {
      if (entry.kind === "changes")
        for (const [at, change] of entry.changes.entries()) this.#handleChange(entry.first + at, change, frame);
      else if (entry.kind === "baseline") this.#handleBaseline(entry.baseline, frame);
      else if (entry.kind === "quality") this.quality = entry.quality;
      else if (entry.kind === "refused") this.#refused.push(entry.refused);
      else if (entry.kind === "ack") this.acked = { ack: entry.ack, at: now };
    }
  }

  #accept(frame: UndecodedFrame, now: number): boolean {
    if (this.#received === 0) this.#newest = (frame.sequence - 1) >>> 0;
    const lead = ahead(frame.sequence, this.#newest);
    // A sequence ahead of all is new even if the set holds it: that entry is from before the numbers wrapped around.
    if (lead <= -MOTION_WINDOW || (lead <= 0 && this.#recentSequences.has(frame.sequence))) return false;
    this.#recentSequences.add(frame.sequence);
    this.#received = (this.#received + 1) >>> 0;
    if (this.#arrivals.length < MOTION_ARRIVALS_MAX) this.#arrivals.push([frame.sequence, Math.round(4 * now) >>> 0]);
    if (lead > 0) {
      [this.#newest, this.#newestTimeMs, this.#newestAt] = [frame.sequence, frame.timeMs, now];
      if (this.#recentSequences.size > 4 * MOTION_WINDOW)
        for (const old of this.#recentSequences)
          if (ahead(old, this.#newest) <= -MOTION_WINDOW) this.#recentSequences.delete(old);
    }
    const late = this.#shortestTransit.add(now - this.#unwrapped(frame.timeMs), now);
    if (lead > 0) this.#late = late;
    this.#jitter.add(late, now);
    return true;
  }

  #handleChange(number: number, change: VisibilityChange, frame: UndecodedFrame): void {
    if (number !== this.#changes + 1) return;
    this.#changes = number;
    if ("left" in change) {
      const gone = this.#followed.get(change.left);
      this.#followed.delete(change.left);
      this.#asked.delete(change.left);
      if (gone === undefined) return;
      this.#lacking.delete(gone);
      this.onLeft(gone);
      return;
    }
    const { id, kind, name } = change;
    // One millisecond older than the pose, so that `#setPose` accepts it as newer.
    const newestMs = (frame.timeMs - change.ageMs - 1) >>> 0;
    const followed: MoverDecodeState = {
      id,
      kind,
      name,
      baselines: [change],
      newestMs,
      position: new Int32Array(3),
      rotation: new Uint8Array(ROTATION_BYTES),
      lacksSince: undefined,
    };
    this.#followed.set(id, followed);
    this.onEntered(followed);
    this.#setPose(followed, change.pose, frame.timeMs - change.ageMs);
  }

  #handleBaseline(baseline: PoseBaseline, frame: UndecodedFrame): void {
    const followed = this.#followed.get(baseline.id);
    if (followed === undefined) return;
    followed.lacksSince = undefined;
    this.#lacking.delete(followed);
    this.#asked.delete(baseline.id);
    const others = followed.baselines.filter(({ generation }) => generation !== baseline.generation);
    followed.baselines = [baseline, ...others.slice(0, 1)];
    this.#setPose(followed, baseline.pose, frame.timeMs - baseline.ageMs);
  }

  /** Applies poses, 20 a second for each mover, from the frame's bytes without allocating for each. */
  #handlePoses({ bytes, from, to }: UndecodedFramePart, { timeMs }: UndecodedFrame, now: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let end = from;
    for (let at = from; at + POSE_HEAD_BYTES <= to; at = end) {
      const form = view.getUint8(at + 3);
      const width = OFFSET_BYTES[form & 3] ?? 0;
      const turnedAt = at + POSE_HEAD_BYTES + 3 * width;
      end = turnedAt + ((form & 4) === 0 ? 0 : ROTATION_BYTES);
      if (end > to) return;
      const followed = this.#followed.get(view.getUint16(at, true));
      const taken = timeMs - view.getUint8(at + 2);
      if (followed === undefined) continue;
      const baseline = baselineOf(followed, form >> 3);
      if (baseline === undefined) this.#markLacking(followed, now);
      else if (this.#advance(followed, taken)) {
        const { position, rotation } = baseline.pose;
        for (let axis = 0; axis < 3; axis += 1)
          followed.position[axis] = (position[axis] ?? 0) + offsetAt(view, at + POSE_HEAD_BYTES + axis * width, width);
        if (end === turnedAt) followed.rotation.set(rotation);
        else for (let byte = 0; byte < ROTATION_BYTES; byte += 1) followed.rotation[byte] = bytes[turnedAt + byte] ?? 0;
        this.#notify(followed, taken);
      }
    }
  }

  #markLacking(followed: MoverDecodeState, now: number): void {
    followed.lacksSince ??= now;
    this.#lacking.add(followed);
  }

  #unwrapped(timeMs: number): number {
    this.#clockMs = this.#clockMs === undefined ? timeMs : this.#clockMs + ahead(timeMs, this.#clockMs >>> 0);
    return this.#clockMs;
  }

  /** Stores the time of a pose and returns true if it is newer than the present one. */
  #advance(followed: MoverDecodeState, takenMs: number): boolean {
    if (ahead(takenMs, followed.newestMs) <= 0) return false;
    followed.newestMs = takenMs >>> 0;
    return true;
  }

  #setPose(followed: MoverDecodeState, pose: PackedPose, takenMs: number): void {
    if (!this.#advance(followed, takenMs)) return;
    followed.position.set(pose.position);
    followed.rotation.set(pose.rotation);
    this.#notify(followed, takenMs);
  }

  #notify(followed: MoverDecodeState, takenMs: number): void {
    const pose = this.#decodedPose;
    for (let axis = 0; axis < 3; axis += 1) pose[axis] = (followed.position[axis] ?? 0) / 1_000;
    unpackRotationInto(followed.rotation, 0, pose, 3);
    this.onMoved(followed, this.#newestAt + ahead(takenMs, this.#newestTimeMs) - this.#late, pose);
  }
}

/** Bytes of id, age and form. */
const POSE_HEAD_BYTES = 4;
/** Bytes of an offset's axis, by the two lowest bits of the form. */
const OFFSET_BYTES = [0, 1, 2, 4] as const;

function offsetAt(view: DataView, at: number, width: number): number {
  if (width === 2) return view.getInt16(at, true);
  if (width === 1) return view.getInt8(at);
  return width === 4 ? view.getInt32(at, true) : 0;
}

function baselineOf({ baselines }: MoverDecodeState, generation: number): PoseBaseline | undefined {
  for (const baseline of baselines) if (baseline.generation === generation) return baseline;
  return undefined;
}

/** The minimum over the last one to two spans of `MOTION_TRANSIT_WINDOW_MS`. */
class WindowMinimum {
  #began = Number.NEGATIVE_INFINITY;
  #now = Number.POSITIVE_INFINITY;
  #before = Number.POSITIVE_INFINITY;

  get value(): number {
    const least = Math.min(this.#now, this.#before);
    return Number.isFinite(least) ? least : 0;
  }

  /** Adds a value and returns its excess over the minimum. */
  add(value: number, now: number): number {
    if (now - this.#began >= MOTION_TRANSIT_WINDOW_MS) {
      [this.#before, this.#now, this.#began] = [this.#now, Number.POSITIVE_INFINITY, now];
    }
    this.#now = Math.min(this.#now, value);
    return value - this.value;
  }
}

/** Recent lateness of frames. It rises at once and decays slowly. */
class JitterEstimator {
  #value = 0;
  #addedAt = 0;

  get value(): number {
    return this.#value;
  }

  add(lateMs: number, now: number): void {
    const bounded = Math.min(lateMs, MOTION_JITTER_MS_MAX);
    const falls = Math.min((now - this.#addedAt) / MOTION_JITTER_FALL_MS, 1);
    this.#value = bounded > this.#value ? bounded : this.#value + (bounded - this.#value) * falls;
    this.#addedAt = now;
  }
}
