/** One connection to the motion plane over one transport. */
import type { Clock } from "../clock.ts";
import { MOTION_SILENCE_MS } from "../limits.ts";
import { partsOf } from "./frame.ts";
import type { MotionReplica } from "./replica.ts";
import type { MotionTransport } from "./transport.ts";
import { MotionUplink } from "./uplink.ts";

/** Arguments of a {@link MotionSession}. */
export interface MotionSessionOptions {
  readonly idTag: string;
  readonly replica: MotionReplica;
  readonly clock: Clock;
  /** Called on each frame with the recent lateness of frames, in milliseconds. */
  readonly onJitter: (jitterMs: number) => void;
}

/** Passes received frames to the replica and sends the uplink's frames. */
export class MotionSession {
  readonly uplink: MotionUplink;
  readonly #replica: MotionReplica;
  readonly #clock: Clock;
  readonly #onJitter: (jitterMs: number) => void;
  #transport: MotionTransport | undefined;
  #heardAt: number;
  #isFlushing = false;
  #isOver = false;

  constructor({ idTag, replica, clock, onJitter }: MotionSessionOptions) {
    this.uplink = new MotionUplink(idTag);
    this.#replica = replica;
    this.#clock = clock;
    this.#onJitter = onJitter;
    this.#heardAt = clock.now();
  }

  /** Starts sending on the open transport. */
  handleOpened(transport: MotionTransport): void {
    this.#transport = transport;
    this.#heardAt = this.#clock.now();
    this.#flush();
  }

  /** Handles a received frame. Invalid frames are dropped. */
  handleFrame(bytes: Uint8Array): void {
    const frame = partsOf(bytes);
    if (frame === undefined) return;
    this.#heardAt = this.#clock.now();
    this.#replica.handleFrame(frame, this.#heardAt);
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

  /** Whether `close` was called. */
  get isOver(): boolean {
    return this.#isOver;
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

  #flush(): void {
    const frame = this.#transport && this.uplink.takeFrame(this.#replica, this.#clock.now());
    if (frame !== undefined) this.#transport?.send(frame);
  }
}
