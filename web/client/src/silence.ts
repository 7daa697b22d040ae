/** Detects a connection that is open but delivers nothing. Pure. */
import { SILENCE_ASK_MS, SILENCE_BUSY_MS, SILENCE_TOLD_MS } from "./limits.ts";

/** Result of a tick: `ask` sends a PINGREQ, `fell` reports a silent connection. */
export type Sign = "ask" | "fell" | undefined;

/** Pings a quiet connection and calls it silent only without an answer, as a scene may be quiet for minutes. */
export class Silence {
  #heardAt: number;
  #askedAt: number | undefined;
  #tickAt: number;
  #fallen = false;

  constructor(now: number) {
    this.#heardAt = now;
    this.#tickAt = now;
  }

  /** Notes received bytes. Returns whether the connection was silent. */
  handleHeard(now: number): boolean {
    const was = this.#fallen;
    this.#heardAt = now;
    this.#askedAt = undefined;
    this.#fallen = false;
    return was;
  }

  handleTick(now: number): Sign {
    const busy = now - this.#tickAt >= SILENCE_BUSY_MS;
    this.#tickAt = now;
    if (busy) this.#askedAt = undefined;
    if (this.#fallen) return undefined;
    if (this.#askedAt === undefined) {
      if (now - this.#heardAt < SILENCE_ASK_MS) return undefined;
      this.#askedAt = now;
      return "ask";
    }
    if (now - this.#askedAt < SILENCE_TOLD_MS) return undefined;
    this.#fallen = true;
    return "fell";
  }
}
