/** One connection to the motion plane over one transport. */
import type { Clock } from "../clock.ts";
import { FLOW_SILENCE_MS, MOTION_SILENCE_MS } from "../limits.ts";
import { type Ack, type MediaUnit, partsOf } from "./frame.ts";
import { IncomingVoices, type IncomingVoicesListener } from "./incoming-voices.ts";
import { ahead, type MotionReplica } from "./replica.ts";
import type { MotionTransport } from "./transport.ts";
import { MotionUplink } from "./uplink.ts";
import { UplinkLoss } from "./uplink-loss.ts";

/** Arguments of a {@link MotionSession}. */
export interface MotionSessionOptions {
  readonly idTag: string;
  readonly replica: MotionReplica;
  readonly clock: Clock;
  /** Called on each frame with the recent lateness of frames, in milliseconds. */
  readonly onJitter: (jitterMs: number) => void;
  readonly voices: IncomingVoicesListener;
}

/** Passes received frames to the replica and sends the uplink's frames. */
export class MotionSession {
  readonly uplink: MotionUplink;
  readonly #replica: MotionReplica;
  readonly #clock: Clock;
  readonly #onJitter: (jitterMs: number) => void;
  readonly #voices: IncomingVoices;
  readonly #loss = new UplinkLoss();
  #transport: MotionTransport | undefined;
  #heardAt: number;
  /** Time of the last frame with a newer acknowledgement, and the newest acknowledged sequence. */
  #ackedAt: number;
  #acked = 0;
  #hearsSince: number | undefined;
  #isFlushing = false;
  #isOver = false;

  constructor({ idTag, replica, clock, onJitter, voices }: MotionSessionOptions) {
    this.uplink = new MotionUplink(idTag);
    this.#replica = replica;
    this.#clock = clock;
    this.#onJitter = onJitter;
    this.#voices = new IncomingVoices(voices);
    [this.#heardAt, this.#ackedAt] = [clock.now(), clock.now()];
  }

  /** Starts sending on the open transport. */
  handleOpened(transport: MotionTransport): void {
    this.#transport = transport;
    [this.#heardAt, this.#ackedAt] = [this.#clock.now(), this.#clock.now()];
    this.#flush();
  }

  /** Handles a received frame. Invalid frames are dropped. */
  handleFrame(bytes: Uint8Array): void {
    const frame = partsOf(bytes);
    if (frame === undefined) return;
    this.#heardAt = this.#clock.now();
    if (this.#replica.handleFrame(frame, this.#heardAt)) this.#voices.handleFrame(frame);
    if (this.#replica.acked !== undefined) this.#handleAck(this.#replica.acked.ack);
    this.#onJitter(this.#replica.jitterMs);
    // Reports are sent on received frames too, as a hidden tab's timers are slow.
    this.#flush();
  }

  /** Sends a frame if one is due. */
  handleTime(): void {
    this.#flush();
  }

  /** Sends a frame in the next microtask, so that it contains all moves of this task. */
  handleMoved(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    queueMicrotask(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  /** The share of this client's frames that gets lost. */
  get lostPerMille(): number {
    return this.#loss.lostPerMille;
  }

  /** Sends units of a voice at once, the newest last. */
  sendUnits(units: readonly MediaUnit[]): void {
    const frame = this.uplink.takeVoiceFrame(units, this.#replica, this.#clock.now());
    this.#transport?.send(frame, "voice");
  }

  /** Whether `close` was called. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sets how many voices this client takes at once. Above 0, the server sends a frame each `FLOW_BEAT_MS`. */
  hear(voices: number): void {
    this.uplink.hears = voices;
    this.#hearsSince = voices > 0 ? (this.#hearsSince ?? this.#clock.now()) : undefined;
  }

  /**
   * Whether no frame arrived for `FLOW_SILENCE_MS`, or none that acknowledges a newer one, although the server sends
   * one at least every `FLOW_BEAT_MS`: a path may be blocked in one direction.
   */
  get isStalled(): boolean {
    const since = this.#hearsSince;
    const lastAt = Math.min(this.#heardAt, this.#ackedAt);
    return since !== undefined && this.#clock.now() - Math.max(since, lastAt) >= FLOW_SILENCE_MS;
  }

  /** Whether no frame arrived for `MOTION_SILENCE_MS`. */
  get isSilent(): boolean {
    return this.#clock.now() - this.#heardAt >= MOTION_SILENCE_MS;
  }

  close(): void {
    this.#isOver = true;
    const transport = this.#transport;
    this.#transport = undefined;
    transport?.close();
  }

  #handleAck(ack: Ack): void {
    this.#loss.handleAck(ack);
    if (ahead(ack.newest, this.#acked) <= 0) return;
    [this.#acked, this.#ackedAt] = [ack.newest, this.#heardAt];
  }

  #flush(): void {
    const frame = this.#transport && this.uplink.takeFrame(this.#replica, this.#clock.now());
    if (frame !== undefined) this.#transport?.send(frame, "poses");
  }
}
