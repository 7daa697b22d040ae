/** Decodes frames of the motion plane. Source: `spec/wire.md`. */
import { FRAME_BYTES_MAX, MOTION_NAME_BYTES_MAX, UNIT_PAYLOAD_BYTES_MAX } from "../limits.ts";
import { type PackedPose, POSE_BYTES, ROTATION_BYTES, type Vector3 } from "./pose.ts";

export const VERSION = 1;
export const HEAD_BYTES = 9;
/** Generations of baselines; the number wraps around. */
export const GENERATIONS = 32;

/** Kind bytes of parts. */
export const PART = {
  ack: 1,
  poses: 2,
  baselines: 3,
  changes: 4,
  quality: 5,
  refused: 6,
  reached: 7,
  flow: 8,
  units: 9,
  uplink: 10,
  own: 16,
  declare: 17,
  ask: 18,
  withdraw: 19,
  mark: 20,
  hears: 21,
  arrivals: 22,
} as const;
/** The medium of a voice: Opus, one channel, 48 kHz, 20 ms a unit. */
export const OPUS_VOICE = 1;
/** Kind byte of a mover: head, left hand, right hand, tracked object. */
export type MoverKindByte = 0 | 1 | 2 | 3;

/** Acknowledges frames of the other direction. */
export interface Ack {
  readonly newest: number;
  readonly received: number;
  readonly timeMs: number;
  readonly heldMs: number;
  readonly changes: number;
}

/** The realm's report: its byte limit, measured loss and round trip, movers in the interest set, omitted poses. */
export interface ConnectionQuality {
  readonly bytesPerS: number;
  readonly lostPerMille: number;
  readonly roundTripMs: number;
  readonly visible: number;
  readonly thinnedPerMille: number;
}

/** A pose with its position relative to a baseline. Without a rotation, the baseline's rotation applies. */
export interface PoseDelta {
  readonly id: number;
  readonly ageMs: number;
  readonly generation: number;
  readonly offset: Vector3;
  readonly rotation: Uint8Array | undefined;
}

/** An absolute pose that pose updates refer to. */
export interface PoseBaseline {
  readonly id: number;
  readonly ageMs: number;
  readonly generation: number;
  readonly pose: PackedPose;
}

/** A mover entered the interest set, or left it or the scene. */
export type VisibilityChange =
  | { readonly left: number }
  | (PoseBaseline & { readonly kind: MoverKindByte; readonly name: string });

/** A client's own pose. */
export interface OwnPose {
  readonly index: number;
  readonly ageMs: number;
  readonly pose: PackedPose;
}

/** A client declares a mover of its own. */
export interface MoverDeclaration {
  readonly index: number;
  readonly kind: MoverKindByte;
  readonly name: string;
}

/** A refused mover. Reasons: 1 not granted, 2 moved by another client or index, 3 too many, 4 not a valid name. */
export interface MoverRefusal {
  readonly index: number;
  readonly reason: 1 | 2 | 3 | 4;
}

/** Identifies a flow within its scene: the number that its page chose at random, and the flow's number on that page. */
export interface FlowId {
  readonly epoch: number;
  readonly flow: number;
}

/** A declared flow. `name` is the sender's idTag, and empty in the sender's own frames. */
export interface FlowDeclaration extends FlowId {
  readonly media: typeof OPUS_VOICE;
  readonly name: string;
}

/** One unit of a flow. `capturedMs` is by the sender's clock; `level` is as in RFC 6464, with the bit for speech. */
export interface MediaUnit extends FlowId {
  readonly number: number;
  readonly capturedMs: number;
  readonly level: number;
  readonly layer: number;
  readonly payload: Uint8Array;
}

/** Frames by ascending sequence with their times of arrival in quarters of a millisecond; `null` for a missing one. */
export type FrameArrivals = readonly (readonly [sequence: number, arrivedQ: number | null])[];

/** One entry of a frame. */
export type FrameEntry =
  | { readonly kind: "ack"; readonly ack: Ack }
  | { readonly kind: "quality"; readonly quality: ConnectionQuality }
  | { readonly kind: "pose"; readonly update: PoseDelta }
  | { readonly kind: "baseline"; readonly baseline: PoseBaseline }
  | { readonly kind: "changes"; readonly first: number; readonly changes: readonly VisibilityChange[] }
  | { readonly kind: "refused"; readonly refused: MoverRefusal }
  | { readonly kind: "own"; readonly own: OwnPose }
  | { readonly kind: "declare"; readonly declared: MoverDeclaration }
  | { readonly kind: "ask"; readonly id: number }
  | { readonly kind: "withdraw"; readonly index: number }
  | { readonly kind: "reached"; readonly sequence: number }
  | { readonly kind: "mark" }
  | { readonly kind: "flow"; readonly declared: FlowDeclaration }
  | { readonly kind: "unit"; readonly unit: MediaUnit }
  | { readonly kind: "hears"; readonly voices: number }
  | { readonly kind: "uplink"; readonly bytesPerS: number }
  | { readonly kind: "arrivals"; readonly frames: FrameArrivals };

/** One part of a frame: its content is `bytes` from `from` to `to`. */
export interface UndecodedFramePart {
  readonly kind: number;
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** The head of a frame and its undecoded parts. */
export interface UndecodedFrame {
  readonly sequence: number;
  readonly timeMs: number;
  readonly parts: readonly UndecodedFramePart[];
}

/** A decoded frame. */
export interface Frame {
  readonly sequence: number;
  readonly timeMs: number;
  readonly entries: readonly FrameEntry[];
}

/** Decodes a frame; `undefined` for a wrong length or version. */
export function parseFrame(bytes: Uint8Array): Frame | undefined {
  const parts = partsOf(bytes);
  return parts && { sequence: parts.sequence, timeMs: parts.timeMs, entries: parts.parts.flatMap(entriesOf) };
}

/** Decodes one part. */
export function entriesOf({ kind, bytes, from, to }: UndecodedFramePart): readonly FrameEntry[] {
  const entries: FrameEntry[] = [];
  readPart(kind, new LittleEndianReader(bytes.subarray(from, to)), entries);
  return entries;
}

/** Splits a frame into parts without decoding them; `undefined` for a wrong length or version. */
export function partsOf(bytes: Uint8Array): UndecodedFrame | undefined {
  if (bytes.length > FRAME_BYTES_MAX || bytes.length < HEAD_BYTES || bytes[0] !== VERSION) return undefined;
  const head = new LittleEndianReader(bytes.subarray(1));
  const [sequence, timeMs] = [head.u32(), head.u32()];
  const parts: UndecodedFramePart[] = [];
  let at = HEAD_BYTES;
  while (at + 3 <= bytes.length) {
    const length = (bytes[at + 1] ?? 0) | ((bytes[at + 2] ?? 0) << 8);
    const end = at + 3 + length;
    if (end > bytes.length) break;
    parts.push({ kind: bytes[at] ?? 0, bytes, from: at + 3, to: end });
    at = end;
  }
  return { sequence, timeMs, parts };
}

/** Reads little-endian values from the front. Past the end it returns 0. This and an invalid value set `isCut`. */
class LittleEndianReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;
  isCut = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isEmpty(): boolean {
    return this.#at >= this.#bytes.length;
  }

  #advance(count: number): number | undefined {
    const at = this.#at;
    this.#at += count;
    if (this.#at <= this.#bytes.length) return at;
    this.isCut = true;
    return undefined;
  }

  bytes(count: number): Uint8Array {
    const at = this.#advance(count);
    return at === undefined ? new Uint8Array(count) : this.#bytes.subarray(at, at + count);
  }

  u8(): number {
    const at = this.#advance(1);
    return at === undefined ? 0 : this.#view.getUint8(at);
  }

  u16(): number {
    const at = this.#advance(2);
    return at === undefined ? 0 : this.#view.getUint16(at, true);
  }

  u32(): number {
    const at = this.#advance(4);
    return at === undefined ? 0 : this.#view.getUint32(at, true);
  }

  /** A signed integer of `width` bytes. */
  signed(width: 1 | 2 | 4): number {
    const at = this.#advance(width);
    if (at === undefined) return 0;
    if (width === 1) return this.#view.getInt8(at);
    return width === 2 ? this.#view.getInt16(at, true) : this.#view.getInt32(at, true);
  }

  pose(): PackedPose {
    const position = [this.signed(4), this.signed(4), this.signed(4)] as const;
    return { position, rotation: this.bytes(POSE_BYTES - 12) };
  }

  generation(): number {
    const generation = this.u8();
    if (generation >= GENERATIONS) this.isCut = true;
    return generation;
  }

  kind(): MoverKindByte {
    const kind = this.u8();
    if (kind === 0 || kind === 1 || kind === 2 || kind === 3) return kind;
    this.isCut = true;
    return 0;
  }

  name(): string {
    const length = this.u8();
    if (length > MOTION_NAME_BYTES_MAX) this.isCut = true;
    try {
      return UTF8.decode(this.bytes(length));
    } catch {
      this.isCut = true;
      return "";
    }
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function readPart(kind: number, reader: LittleEndianReader, entries: FrameEntry[]): void {
  if (kind === PART.changes) {
    const first = reader.u32();
    if (!reader.isCut) entries.push({ kind: "changes", first, changes: readEntries(reader, readChange) });
    return;
  }
  const read = READERS.get(kind);
  if (read === undefined) return;
  if (SINGLE_ENTRY_PARTS.has(kind)) {
    const only = read(reader);
    if (!reader.isCut) entries.push(only);
  } else entries.push(...readEntries(reader, read));
}

/** Reads entries up to the end, or up to a truncated or invalid entry. */
function readEntries<T>(reader: LittleEndianReader, read: (reader: LittleEndianReader) => T): T[] {
  const entries: T[] = [];
  while (!reader.isEmpty) {
    const entry = read(reader);
    if (reader.isCut) break;
    entries.push(entry);
  }
  return entries;
}

function readChange(reader: LittleEndianReader): VisibilityChange {
  const op = reader.u8();
  const id = reader.u16();
  if (op === 0) return { left: id };
  if (op !== 1) reader.isCut = true;
  const [kind, name] = [reader.kind(), reader.name()];
  return { id, kind, name, ageMs: reader.u8(), generation: reader.generation(), pose: reader.pose() };
}

function readPose(reader: LittleEndianReader): FrameEntry {
  const [id, ageMs, form] = [reader.u16(), reader.u8(), reader.u8()];
  const width = ([0, 1, 2, 4] as const)[form & 3] ?? 0;
  const axis = () => (width === 0 ? 0 : reader.signed(width));
  const offset = [axis(), axis(), axis()] as const;
  const rotation = (form & 4) === 0 ? undefined : reader.bytes(ROTATION_BYTES);
  return { kind: "pose", update: { id, ageMs, generation: form >> 3, offset, rotation } };
}

function readAck(reader: LittleEndianReader): FrameEntry {
  const [newest, received, timeMs, heldMs] = [reader.u32(), reader.u32(), reader.u32(), reader.u16()];
  reader.u16();
  return { kind: "ack", ack: { newest, received, timeMs, heldMs, changes: reader.u32() } };
}

function readQuality(reader: LittleEndianReader): FrameEntry {
  const [bytesPerS, lostPerMille, roundTripMs] = [reader.u32(), reader.u16(), reader.u16()];
  const quality = { bytesPerS, lostPerMille, roundTripMs, visible: reader.u16(), thinnedPerMille: reader.u16() };
  return { kind: "quality", quality };
}

function readRefused(reader: LittleEndianReader): FrameEntry {
  const [index, reason] = [reader.u8(), reader.u8()];
  if (reason === 1 || reason === 2 || reason === 3 || reason === 4)
    return { kind: "refused", refused: { index, reason } };
  reader.isCut = true;
  return { kind: "refused", refused: { index, reason: 1 } };
}

function readFlow(reader: LittleEndianReader): FrameEntry {
  const [epoch, flow, media] = [reader.u32(), reader.u8(), reader.u8()];
  const name = reader.name();
  if (media !== OPUS_VOICE) reader.isCut = true;
  return { kind: "flow", declared: { epoch, flow, media: OPUS_VOICE, name } };
}

function readUnit(reader: LittleEndianReader): FrameEntry {
  const [epoch, flow, number, capturedMs] = [reader.u32(), reader.u8(), reader.u32(), reader.u32()];
  const [level, layer, length] = [reader.u8(), reader.u8(), reader.u16()];
  if (length > UNIT_PAYLOAD_BYTES_MAX) reader.isCut = true;
  return { kind: "unit", unit: { epoch, flow, number, capturedMs, level, layer, payload: reader.bytes(length) } };
}

/** The frame has not arrived, or two bytes with the difference follow. */
const [MISSING, LONG] = [254, 255];

function readArrivals(reader: LittleEndianReader): FrameEntry {
  let [sequence, arrivedQ] = [reader.u32(), reader.u32()];
  const frames: [number, number | null][] = [[sequence, arrivedQ]];
  // The first fields count without the entries behind a truncated one.
  const isCut = reader.isCut;
  while (!reader.isEmpty) {
    const code = reader.u8();
    const difference = code === LONG ? reader.signed(2) : code;
    if (reader.isCut) break;
    sequence = (sequence + 1) >>> 0;
    if (code !== MISSING) arrivedQ = (arrivedQ + difference) >>> 0;
    frames.push([sequence, code === MISSING ? null : arrivedQ]);
  }
  reader.isCut = isCut;
  return { kind: "arrivals", frames };
}

const READERS: ReadonlyMap<number, (reader: LittleEndianReader) => FrameEntry> = new Map<
  number,
  (reader: LittleEndianReader) => FrameEntry
>([
  [PART.ack, readAck],
  [PART.poses, readPose],
  [
    PART.baselines,
    (reader) => ({
      kind: "baseline",
      baseline: { id: reader.u16(), ageMs: reader.u8(), generation: reader.generation(), pose: reader.pose() },
    }),
  ],
  [PART.quality, readQuality],
  [PART.refused, readRefused],
  [PART.own, (reader) => ({ kind: "own", own: { index: reader.u8(), ageMs: reader.u8(), pose: reader.pose() } })],
  [
    PART.declare,
    (reader) => ({ kind: "declare", declared: { index: reader.u8(), kind: reader.kind(), name: reader.name() } }),
  ],
  [PART.ask, (reader) => ({ kind: "ask", id: reader.u16() })],
  [PART.withdraw, (reader) => ({ kind: "withdraw", index: reader.u8() })],
  [PART.reached, (reader) => ({ kind: "reached", sequence: reader.u32() })],
  [PART.mark, () => ({ kind: "mark" })],
  [PART.flow, readFlow],
  [PART.units, readUnit],
  [PART.hears, (reader) => ({ kind: "hears", voices: reader.u8() })],
  [PART.uplink, (reader) => ({ kind: "uplink", bytesPerS: reader.u32() })],
  [PART.arrivals, readArrivals],
]);

/** Parts with a single entry. Later versions may append bytes, which are ignored. */
const SINGLE_ENTRY_PARTS: ReadonlySet<number> = new Set([
  PART.ack,
  PART.quality,
  PART.reached,
  PART.mark,
  PART.hears,
  PART.uplink,
  PART.arrivals,
]);
