/** Detects a connection that is open but delivers nothing, for `Session`. Pure: time is an argument. */
import { SILENCE_ASK_MS, SILENCE_BUSY_MS, SILENCE_SHOWN_MS } from "./limits.ts";

/** Result of a tick: at `ask` the session sends a PINGREQ, at `fell` it shows a silent connection. */
export type SilenceAction = "ask" | "fell" | undefined;

/** Pings a quiet connection and calls it silent only without an answer, as a scene may be quiet for minutes. */
export class SilenceDetector {
  #heardAt: number;
  #askedAt: number | undefined;
  #tickAt: number;
  #isSilent = false;

  constructor(now: number) {
    this.#heardAt = now;
    this.#tickAt = now;
  }

  /** Notes received bytes. Returns whether the connection was silent. */
  handleHeard(now: number): boolean {
    const was = this.#isSilent;
    this.#heardAt = now;
    this.#askedAt = undefined;
    this.#isSilent = false;
    return was;
  }

  /** Returns the action that is due. Call it once a second or more often; a late call counts as a busy page. */
  handleTick(now: number): SilenceAction {
    const wasBusy = now - this.#tickAt >= SILENCE_BUSY_MS;
    this.#tickAt = now;
    if (wasBusy) this.#askedAt = undefined;
    if (this.#isSilent) return undefined;
    if (this.#askedAt === undefined) {
      if (now - this.#heardAt < SILENCE_ASK_MS) return undefined;
      this.#askedAt = now;
      return "ask";
    }
    if (now - this.#askedAt < SILENCE_SHOWN_MS) return undefined;
    this.#isSilent = true;
    return "fell";
  }
}
