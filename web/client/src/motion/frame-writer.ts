/** Encodes a client's frames. Source: `spec/wire.md` sections 2, 5 and 6. */
import { FRAME_BYTES_MAX } from "../limits.ts";
import {
  type Ack,
  type FlowDeclaration,
  HEAD_BYTES,
  type MediaUnit,
  type MoverDeclaration,
  type OwnPose,
  PART,
  VERSION,
} from "./frame.ts";
import { POSE_BYTES } from "./pose.ts";

const PART_HEAD_BYTES = 3;
const ACK_BYTES = 20;
const OWN_BYTES = 2 + POSE_BYTES;
const UNIT_HEAD_BYTES = 17;

/** Codes of an arrival's entry: the frame has not arrived, or two bytes with the difference follow. */
const [MISSING, LONG] = [254, 255];
/** Most missing frames within one part. */
const MISSING_MAX = 64;

/** The entries from one frame to the next, missing ones between them included; `undefined` without an encoding. */
function arrivalEntry(
  [before, beforeQ]: readonly [number, number],
  [sequence, arrivedQ]: readonly [number, number],
): readonly number[] | undefined {
  const missing = ((sequence - before) >>> 0) - 1;
  const difference = (arrivedQ - beforeQ) | 0;
  if (missing > MISSING_MAX || difference > 32_767 || difference < -32_768) return undefined;
  const short = difference >= 0 && difference < MISSING;
  const own = short ? [difference] : [LONG, difference & 0xff, (difference >> 8) & 0xff];
  return [...Array.from({ length: missing }, () => MISSING), ...own];
}

/** Writes one frame, part by part, into its own buffer. */
export class FrameWriter {
  readonly #bytes = new Uint8Array(FRAME_BYTES_MAX);
  readonly #view = new DataView(this.#bytes.buffer);
  #length = 0;
  #open: { readonly kind: number; readonly at: number } | undefined;

  /** Starts a new frame. */
  begin(sequence: number, timeMs: number): void {
    this.#view.setUint8(0, VERSION);
    this.#view.setUint32(1, sequence, true);
    this.#view.setUint32(5, timeMs >>> 0, true);
    this.#length = HEAD_BYTES;
    this.#open = undefined;
  }

  /** Appends an acknowledgement. This and the methods below return false and write nothing if the frame is full. */
  ack(ack: Ack): boolean {
    const at = this.#room(PART.ack, ACK_BYTES);
    if (at === undefined) return false;
    this.#view.setUint32(at, ack.newest, true);
    this.#view.setUint32(at + 4, ack.received, true);
    this.#view.setUint32(at + 8, ack.timeMs, true);
    this.#view.setUint16(at + 12, ack.heldMs, true);
    this.#view.setUint16(at + 14, 0, true);
    this.#view.setUint32(at + 16, ack.changes, true);
    return true;
  }

  /**
   * Appends the arrival times of frames, by ascending sequence and in quarters of a millisecond. Returns how many fitted;
   * a large gap between sequences or times begins another part.
   */
  arrivals(frames: readonly (readonly [sequence: number, arrivedQ: number])[]): number {
    let written = 0;
    let before: readonly [number, number] | undefined;
    for (const frame of frames) {
      const entry = before && arrivalEntry(before, frame);
      const at = entry === undefined ? undefined : this.#room(PART.arrivals, entry.length);
      if (entry !== undefined && at !== undefined) this.#bytes.set(entry, at);
      else if (!this.#beginArrivals(frame)) return written;
      before = frame;
      written += 1;
    }
    return written;
  }

  #beginArrivals([sequence, arrivedQ]: readonly [number, number]): boolean {
    this.#open = undefined;
    const at = this.#room(PART.arrivals, 8);
    if (at === undefined) return false;
    this.#view.setUint32(at, sequence, true);
    this.#view.setUint32(at + 4, arrivedQ, true);
    return true;
  }

  ask(id: number): boolean {
    const at = this.#room(PART.ask, 2);
    if (at === undefined) return false;
    this.#view.setUint16(at, id, true);
    return true;
  }

  withdraw(index: number): boolean {
    const at = this.#room(PART.withdraw, 1);
    if (at === undefined) return false;
    this.#view.setUint8(at, index);
    return true;
  }

  declare({ index, kind, name }: MoverDeclaration): boolean {
    const bytes = new TextEncoder().encode(name);
    const at = this.#room(PART.declare, 3 + bytes.length);
    if (at === undefined) return false;
    this.#bytes.set([index, kind, bytes.length], at);
    this.#bytes.set(bytes, at + 3);
    return true;
  }

  own({ index, ageMs, pose }: OwnPose): boolean {
    const at = this.#room(PART.own, OWN_BYTES);
    if (at === undefined) return false;
    this.#bytes.set([index, ageMs], at);
    pose.position.forEach((axis, which) => {
      this.#view.setInt32(at + 2 + 4 * which, axis, true);
    });
    this.#bytes.set(pose.rotation, at + 14);
    return true;
  }

  /** Appends how many voices the client takes at once. */
  hears(voices: number): boolean {
    const at = this.#room(PART.hears, 1);
    if (at === undefined) return false;
    this.#view.setUint8(at, voices);
    return true;
  }

  flow({ epoch, flow, media, name }: FlowDeclaration): boolean {
    const bytes = new TextEncoder().encode(name);
    const at = this.#room(PART.flow, 7 + bytes.length);
    if (at === undefined) return false;
    this.#view.setUint32(at, epoch, true);
    this.#bytes.set([flow, media, bytes.length], at + 4);
    this.#bytes.set(bytes, at + 7);
    return true;
  }

  unit({ epoch, flow, number, capturedMs, level, layer, payload }: MediaUnit): boolean {
    const at = this.#room(PART.units, UNIT_HEAD_BYTES + payload.length);
    if (at === undefined) return false;
    this.#view.setUint32(at, epoch, true);
    this.#view.setUint8(at + 4, flow);
    this.#view.setUint32(at + 5, number, true);
    this.#view.setUint32(at + 9, capturedMs, true);
    this.#bytes.set([level, layer], at + 13);
    this.#view.setUint16(at + 15, payload.length, true);
    this.#bytes.set(payload, at + UNIT_HEAD_BYTES);
    return true;
  }

  /** The frame, valid until the next `begin`. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Reserves an entry at the end of a part of that kind and returns its offset. */
  #room(kind: number, length: number): number | undefined {
    const opens = this.#open?.kind !== kind;
    if (this.#length + (opens ? PART_HEAD_BYTES : 0) + length > FRAME_BYTES_MAX) return undefined;
    if (opens) {
      this.#open = { kind, at: this.#length };
      this.#view.setUint8(this.#length, kind);
      this.#length += PART_HEAD_BYTES;
    }
    const at = this.#length;
    this.#length += length;
    const begins = this.#open?.at ?? 0;
    this.#view.setUint16(begins + 1, this.#length - begins - PART_HEAD_BYTES, true);
    return at;
  }
}
