/** What a client says on the motion plane: where its own things are, and what has come. Pure: time is an argument. */
import { MOTION_OWN_MAX, MOTION_REPORT_MS, MOTION_RESTING_MS } from "../limits.ts";
import type { Kind } from "./frame.ts";
import { FrameWriter } from "./frame-writer.ts";
import { type PackedPose, packPosition, packRotation, type Quaternion, type Vector3 } from "./pose.ts";
import type { MotionReplica } from "./replica.ts";

interface Own {
  readonly index: number;
  readonly kind: Kind;
  readonly name: string;
  /** By what its `entered` names it. */
  readonly shownAs: string;
  pose: PackedPose | undefined;
  takenAt: number;
  /** Its `entered` has come, or it was refused. */
  known: boolean;
  /** Since when it is being withdrawn. */
  withdrawnAt: number | undefined;
}

/** A client's own things. */
export class MotionUplink {
  readonly #idTag: string;
  readonly #own: Own[] = [];
  readonly #writer = new FrameWriter();
  #sequence = 0;
  #saidAt = Number.NEGATIVE_INFINITY;
  #moved = false;
  #isShown = false;

  constructor(idTag: string) {
    this.#idTag = idTag;
  }

  /** Something of its own is there; `name` is a tracked object's id. False where it can't be said: out of the world, turned by nothing, one too many. */
  move(kind: Kind, name: string, at: { position: Vector3; rotation: Quaternion }, now: number): boolean {
    const [position, rotation] = [packPosition(at.position), packRotation(at.rotation)];
    if (position === undefined || rotation === undefined) return false;
    let own = this.#own.find((one) => one.kind === kind && one.name === name);
    if (own === undefined) {
      if (this.#own.length >= MOTION_OWN_MAX) return false;
      const shownAs = kind === 3 ? name : this.#idTag;
      own = {
        index: this.#own.length,
        kind,
        name,
        shownAs,
        pose: undefined,
        takenAt: now,
        known: false,
        withdrawnAt: undefined,
      };
      this.#own.push(own);
    }
    [own.pose, own.takenAt, this.#moved] = [{ position, rotation }, now, true];
    return true;
  }

  /** Something of its own is gone: that is said until its `left` has come. Where it comes back meanwhile, it is declared anew after that. */
  lose(kind: Kind, name: string, now: number): void {
    const own = this.#own.find((one) => one.kind === kind && one.name === name);
    if (own?.pose === undefined) return;
    [own.pose, own.withdrawnAt, this.#moved] = [undefined, now, true];
  }

  /** Whether the server shows the own head to the others. */
  get isShown(): boolean {
    return this.#isShown;
  }

  /** The next frame, where one is due: something has moved, or a report is. Valid until the next call. */
  takeFrame(replica: MotionReplica, now: number): Uint8Array | undefined {
    const asked = replica.takeAsked(now);
    const isDue = this.#moved || asked.length > 0 || now - this.#saidAt >= MOTION_REPORT_MS;
    if (!isDue) return undefined;
    this.#sequence = (this.#sequence + 1) >>> 0;
    this.#writer.begin(this.#sequence, Math.round(now));
    const ack = replica.ack(now);
    if (ack !== undefined) this.#writer.ack(ack);
    for (const own of this.#own) this.#say(own, replica, now);
    for (const own of this.#own) {
      const { index, pose } = own;
      const ageMs = Math.min(Math.max(Math.round(now - own.takenAt), 0), 255);
      if (pose !== undefined && own.withdrawnAt === undefined && this.#isNews(own, pose, { replica, now }))
        this.#writer.own({ index, ageMs, pose });
    }
    for (const id of asked) this.#writer.ask(id);
    [this.#saidAt, this.#moved] = [now, false];
    return this.#writer.bytes;
  }

  /** That it is there, or that it is not any more, until that is known. */
  #say(own: Own, replica: MotionReplica, now: number): void {
    const isTold = this.#isTold(own, replica);
    if (own.withdrawnAt !== undefined && !isTold && (own.known || now - own.withdrawnAt >= MOTION_RESTING_MS))
      [own.withdrawnAt, own.known, own.takenAt] = [undefined, replica.refused.has(own.index), now];
    if (own.withdrawnAt !== undefined) {
      own.known ||= isTold;
      this.#writer.withdraw(own.index);
    } else if (own.pose !== undefined) {
      own.known ||= isTold || replica.refused.has(own.index);
      if (!own.known) this.#writer.declare(own);
    }
    if (own.kind === 0) this.#isShown = own.known && own.pose !== undefined && !replica.refused.has(own.index);
  }

  /** For a while a pose that rests is said with each frame too, and after that until it is told back: the last frame may have been lost. */
  #isNews(own: Own, pose: PackedPose, { replica, now }: { replica: MotionReplica; now: number }): boolean {
    if (replica.refused.has(own.index)) return false;
    if (now - own.takenAt < MOTION_RESTING_MS) return true;
    const told = replica.find(own.kind, own.shownAs);
    return told === undefined || !samePose(told, pose);
  }

  #isTold(own: Own, replica: MotionReplica): boolean {
    return replica.find(own.kind, own.shownAs) !== undefined;
  }
}

function samePose(one: PackedPose, other: PackedPose): boolean {
  return (
    one.position.every((axis, at) => axis === other.position[at]) &&
    one.rotation.every((byte, at) => byte === other.rotation[at])
  );
}
