/** Notices a connection on which nothing comes any more, though nobody has closed it. Pure. */
import { SILENCE_ASK_MS, SILENCE_BUSY_MS, SILENCE_TOLD_MS } from "./limits.ts";

/** What a tick asks for: `ask` the realm for a sign; `fell`, nothing comes through. */
export type Sign = "ask" | "fell" | undefined;

/** What is quiet is asked, and only what does not answer is silent: many a scene has nothing to say for minutes. */
export class Silence {
  #heardAt: number;
  #askedAt: number | undefined;
  #tickAt: number;
  #fallen = false;

  constructor(now: number) {
    this.#heardAt = now;
    this.#tickAt = now;
  }

  /** Anything came, an answer too. Whether it was silent until now. */
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
