import { BACK_OFF_MS, SETTLED_MS } from "./limits.ts";

/** How long to wait before another attempt: doubling, half of it chance, so that a restarted realm isn't stormed. */
export class BackOff {
  readonly #random: () => number;
  #next: number = BACK_OFF_MS.first;

  /** `random` gives numbers from 0 to below 1. */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** The wait after a connection that lived for `livedMs` (0 where there was none). */
  nextMs(livedMs: number): number {
    if (livedMs >= SETTLED_MS) this.#next = BACK_OFF_MS.first;
    const wait = this.#next;
    this.#next = Math.min(2 * wait, BACK_OFF_MS.longest);
    return wait / 2 + (this.#random() * wait) / 2;
  }
}
