/** One stay on the motion plane, by one way: frames in, frames out. */
import type { Clock } from "../clock.ts";
import { MOTION_SILENCE_MS } from "../limits.ts";
import { partsOf } from "./frame.ts";
import type { MotionReplica } from "./replica.ts";
import type { MotionTransport } from "./transport.ts";
import { MotionUplink } from "./uplink.ts";

/** What a stay is made of. */
export interface MotionSessionOptions {
  readonly idTag: string;
  readonly replica: MotionReplica;
  readonly clock: Clock;
}

/** The stay. */
export class MotionSession {
  readonly uplink: MotionUplink;
  readonly #replica: MotionReplica;
  readonly #clock: Clock;
  #way: MotionTransport | undefined;
  #heardAt: number;
  #isFlushing = false;
  #isOver = false;

  constructor({ idTag, replica, clock }: MotionSessionOptions) {
    this.uplink = new MotionUplink(idTag);
    this.#replica = replica;
    this.#clock = clock;
    this.#heardAt = clock.now();
  }

  /** Its way is open. */
  handleOpened(way: MotionTransport): void {
    this.#way = way;
    this.#heardAt = this.#clock.now();
    this.#flush();
  }

  /** A frame came; what is none is dropped. */
  handleFrame(bytes: Uint8Array): void {
    const frame = partsOf(bytes);
    if (frame === undefined) return;
    this.#heardAt = this.#clock.now();
    this.#replica.handleFrame(frame, this.#heardAt);
    // A report goes out as frames come: a hidden tab's timers are slow.
    this.#flush();
  }

  /** Says what is due. */
  handleTime(): void {
    this.#flush();
  }

  /** Something was moved: it is said once all that moved with it is known. */
  handleMoved(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    queueMicrotask(() => {
      this.#isFlushing = false;
      this.#flush();
    });
  }

  /** Whether it was closed, from whichever side. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether nothing has come for so long that it is over. */
  get isSilent(): boolean {
    return this.#clock.now() - this.#heardAt >= MOTION_SILENCE_MS;
  }

  close(): void {
    this.#isOver = true;
    const way = this.#way;
    this.#way = undefined;
    way?.close();
  }

  #flush(): void {
    const frame = this.#way && this.uplink.takeFrame(this.#replica, this.#clock.now());
    if (frame !== undefined) this.#way?.send(frame);
  }
}
