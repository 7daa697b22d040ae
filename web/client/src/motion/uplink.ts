/**
 * Decides what a client sends on one connection and when: declarations and poses of its own movers, units of its voice,
 * acknowledgements, requests for baselines. Pure: time is an argument.
 */
import { MOTION_OWN_MAX, MOTION_REFUSED_MS, MOTION_REPORT_MS, MOTION_RESTING_MS, MOTION_WINDOW } from "../limits.ts";
import { type MediaUnit, type MoverKindByte, OPUS_VOICE } from "./frame.ts";
import { FrameWriter } from "./frame-writer.ts";
import { type PackedPose, packPosition, packRotation, type Quaternion, type Vector3 } from "./pose.ts";
import type { MotionReplica } from "./replica.ts";

interface OwnMover {
  readonly index: number;
  readonly kind: MoverKindByte;
  readonly name: string;
  /** The mover's name in the realm's `entered` message. */
  readonly shownAs: string;
  pose: PackedPose | undefined;
  takenAt: number;
  /** Ids of other clients' movers of that name at the declaration, none for a head or hand; `undefined` before it. */
  others: ReadonlySet<number> | undefined;
  /** Whether the realm's `entered` for this mover has arrived. */
  isAnnounced: boolean;
  /** Time of the withdrawal, until the realm's `left` for this mover arrives. */
  withdrawnAt: number | undefined;
  /** Time of the realm's refusal, and whether it is permanent. */
  refused: { readonly at: number; readonly forGood: boolean } | undefined;
}

/** Count of indices, each of one byte. */
const INDICES = 256;
/** The refusal reason that lasts as long as the connection. */
const NOT_GRANTED = 1;

/** A client's own movers. */
export class MotionUplink {
  readonly #idTag: string;
  #own: OwnMover[] = [];
  readonly #writer = new FrameWriter();
  #sequence = 0;
  #sentAt = Number.NEGATIVE_INFINITY;
  #moved = false;
  /** Sequences of frames that declared the voice `#declaredEpoch`; `undefined` once one of them has arrived. */
  #declarations: number[] | undefined = [];
  #declaredEpoch: number | undefined;
  /** How many voices this client takes at once. */
  hears = 0;

  constructor(idTag: string) {
    this.#idTag = idTag;
  }

  /**
   * Sets the pose of an own mover; `name` is a tracked object's id. Returns false for a position beyond
   * `MOTION_EXTENT_M`, a quaternion without length, or more than `MOTION_OWN_MAX` movers.
   */
  move(kind: MoverKindByte, name: string, at: { position: Vector3; rotation: Quaternion }, now: number): boolean {
    const [position, rotation] = [packPosition(at.position), packRotation(at.rotation)];
    if (position === undefined || rotation === undefined) return false;
    const own = this.#find(kind, name) ?? this.#add(kind, name);
    if (own === undefined) return false;
    [own.pose, own.takenAt, this.#moved] = [{ position, rotation }, now, true];
    return true;
  }

  /** Withdraws a mover in each frame until its `left` arrives. A move before then declares it again afterwards. */
  lose(kind: MoverKindByte, name: string, now: number): void {
    const own = this.#find(kind, name);
    if (own?.pose === undefined) return;
    [own.pose, own.withdrawnAt, this.#moved] = [undefined, now, true];
  }

  /** Whether the server delivers this client's head. */
  get isShown(): boolean {
    const head = this.#find(0, "");
    return head !== undefined && isSending(head) && head.isAnnounced;
  }

  /** Whether the realm accepts this client's poses of a tracked object: it has announced and not refused it. */
  holds(name: string): boolean {
    const own = this.#find(3, name);
    return own !== undefined && isSending(own) && own.isAnnounced;
  }

  /**
   * The next frame if one is due: after a move, for a missing baseline, or each `MOTION_REPORT_MS`. Valid until the
   * next call.
   */
  takeFrame(replica: MotionReplica, now: number): Uint8Array | undefined {
    const asked = replica.takeBaselineRequests(now);
    this.#takeRefused(replica, now);
    const isDue = this.#moved || asked.length > 0 || now - this.#sentAt >= MOTION_REPORT_MS;
    if (!isDue) return undefined;
    this.#own = this.#own.filter((own) => advance(own, replica, now));
    this.#begin(replica, now);
    this.#writeOwn(replica, now);
    for (const id of asked) this.#writer.ask(id);
    this.#writer.arrivals(replica.takeArrivals());
    [this.#sentAt, this.#moved] = [now, false];
    return this.#writer.bytes;
  }

  /** A frame with units of this client's voice, the newest last. Valid until the next call. */
  takeVoiceFrame(units: readonly MediaUnit[], replica: MotionReplica, now: number): Uint8Array {
    this.#begin(replica, now);
    const [newest] = units.slice(-1);
    if (newest !== undefined) this.#declareVoice(newest, replica);
    // The newest goes first where not all fit, and receivers order units by number.
    for (const unit of units.toReversed()) this.#writer.unit(unit);
    return this.#writer.bytes;
  }

  /** Begins a frame with the parts that each frame has. */
  #begin(replica: MotionReplica, now: number): void {
    this.#sequence = (this.#sequence + 1) >>> 0;
    this.#writer.begin(this.#sequence, Math.round(now));
    const ack = replica.ack(now);
    if (ack !== undefined) this.#writer.ack(ack);
    if (this.hears > 0) this.#writer.hears(this.hears);
  }

  /** Declares the voice until a frame with the declaration has arrived. */
  #declareVoice({ epoch, flow }: MediaUnit, replica: MotionReplica): void {
    if (epoch !== this.#declaredEpoch) [this.#declaredEpoch, this.#declarations] = [epoch, []];
    const acked = replica.acked?.ack.newest;
    if (acked !== undefined && this.#declarations?.includes(acked)) this.#declarations = undefined;
    if (this.#declarations === undefined) return;
    this.#declarations = [...this.#declarations.slice(-MOTION_WINDOW), this.#sequence];
    this.#writer.flow({ epoch, flow, media: OPUS_VOICE, name: "" });
  }

  #find(kind: MoverKindByte, name: string): OwnMover | undefined {
    return this.#own.find((one) => one.kind === kind && one.name === name);
  }

  /** Adds a mover with the first free index. */
  #add(kind: MoverKindByte, name: string): OwnMover | undefined {
    const taken = new Set(this.#own.map(({ index }) => index));
    let index = 0;
    while (taken.has(index)) index += 1;
    const count = this.#own.filter(({ pose }) => pose !== undefined).length;
    if (index >= INDICES || count >= MOTION_OWN_MAX) return undefined;
    const shownAs = kind === 3 ? name : this.#idTag;
    const own: OwnMover = { index, kind, name, shownAs, pose: undefined, takenAt: 0, ...UNDECLARED };
    this.#own.push(own);
    return own;
  }

  #takeRefused(replica: MotionReplica, now: number): void {
    for (const { index, reason } of replica.takeRefused()) {
      const own = this.#own.find((one) => one.index === index);
      if (own === undefined) continue;
      [own.withdrawnAt, own.refused] = [undefined, { at: now, forGood: reason === NOT_GRANTED }];
    }
  }

  #writeOwn(replica: MotionReplica, now: number): void {
    for (const { index, withdrawnAt, refused } of this.#own)
      if (withdrawnAt !== undefined && refused === undefined) this.#writer.withdraw(index);
    const sending = this.#own.filter(isSending);
    for (const own of sending) if (own.isAnnounced && isNews(own, replica, now)) this.#writePose(own, now);
    for (const own of sending) {
      // Each declaration needs its pose: the realm announces no mover without one, so the declaring would not end.
      if (own.isAnnounced || !this.#writer.declare(own)) continue;
      own.others ??= new Set(own.kind === 3 ? replica.idsOf(own.kind, own.shownAs) : []);
      this.#writePose(own, now);
    }
  }

  #writePose({ index, pose, takenAt }: OwnMover, now: number): void {
    const ageMs = Math.min(Math.max(Math.round(now - takenAt), 0), 255);
    if (pose !== undefined) this.#writer.own({ index, ageMs, pose });
  }
}

/** State of an undeclared mover. */
const UNDECLARED = { others: undefined, isAnnounced: false, withdrawnAt: undefined, refused: undefined } as const;

function isSending({ pose, withdrawnAt, refused }: OwnMover): boolean {
  return pose !== undefined && withdrawnAt === undefined && refused === undefined;
}

/** Updates the state of a mover. Returns false if the mover has left and its index is free. */
function advance(own: OwnMover, replica: MotionReplica, now: number): boolean {
  if (own.refused !== undefined) {
    if (own.refused.forGood || now - own.refused.at < MOTION_REFUSED_MS) return true;
    return reset(own, now);
  }
  const isEchoed = echoOf(own, replica) !== undefined;
  if (own.withdrawnAt !== undefined && !isEchoed) {
    // The realm sends no `left` for a mover that it never announced.
    const isGone = own.isAnnounced || own.others === undefined || now - own.withdrawnAt >= MOTION_RESTING_MS;
    return isGone ? reset(own, now) : true;
  }
  own.isAnnounced ||= isEchoed;
  return true;
}

/** Resets to undeclared. Returns false if there is no pose to declare it with. */
function reset(own: OwnMover, now: number): boolean {
  Object.assign(own, UNDECLARED, { takenAt: now });
  return own.pose !== undefined;
}

/**
 * Whether to send the pose. As frames get lost, a resting pose is repeated for `MOTION_RESTING_MS`, and then until the
 * realm sends it back.
 */
function isNews(own: OwnMover, replica: MotionReplica, now: number): boolean {
  if (now - own.takenAt < MOTION_RESTING_MS) return true;
  const echo = echoOf(own, replica);
  return echo === undefined || own.pose === undefined || !samePose(echo, own.pose);
}

/** The newest pose of an own mover as the realm sends it back; `undefined` before the first. */
function echoOf({ kind, shownAs, others }: OwnMover, replica: MotionReplica): PackedPose | undefined {
  return others && replica.find(kind, shownAs, others);
}

function samePose(one: PackedPose, other: PackedPose): boolean {
  return (
    one.position.every((axis, at) => axis === other.position[at]) &&
    one.rotation.every((byte, at) => byte === other.rotation[at])
  );
}
