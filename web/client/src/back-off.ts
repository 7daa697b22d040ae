/** Computes the waits between reconnections. Pure, except for the given random numbers. */
import { BACK_OFF_MS, SETTLED_MS } from "./limits.ts";

/** Waits before reconnecting. They double, and half of each is random, so that clients don't return all at once. */
export class BackOff {
  readonly #random: () => number;
  #next: number = BACK_OFF_MS.first;

  /** `random` returns numbers in [0, 1). */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** The wait after a connection that lived for `livedMs`, which is 0 if none was opened. */
  nextMs(livedMs: number): number {
    if (livedMs >= SETTLED_MS) this.#next = BACK_OFF_MS.first;
    const wait = this.#next;
    this.#next = Math.min(2 * wait, BACK_OFF_MS.longest);
    return wait / 2 + (this.#random() * wait) / 2;
  }
}
