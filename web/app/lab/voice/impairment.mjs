/** A bad path for datagrams in one direction. Pure: time and seed are arguments. */

/** Share of lost datagrams, and the mean count of a burst of losses (Gilbert's model). */
const LOSS = 0.05;
const BURST = 3;
/** Delay of every datagram, and the most that jitter adds, evenly distributed. Jitter keeps the order, as a queue does. */
const DELAY_MS = 20;
const JITTER_MS = 40;
/** Share of datagrams that are held back further, while others overtake them. */
const HELD_BACK = 0.02;
const HELD_BACK_MS = [20, 60];

/** The fates of datagrams on a bad path. Each datagram draws as many random numbers, so equal seeds give equal fates. */
export class Impairment {
  #random;
  #isBad = false;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(seed) {
    this.#random = randomNumbers(seed);
  }

  /** When a datagram that is sent at `nowMs` arrives; `undefined` if it is lost. */
  arrivalMs(nowMs) {
    const [step, jitter, isHeld, held] = Array.from({ length: 4 }, this.#random);
    const recovering = 1 / BURST;
    const failing = (recovering * LOSS) / (1 - LOSS);
    this.#isBad = this.#isBad ? step >= recovering : step < failing;
    this.#lastMs = Math.max(this.#lastMs, nowMs + DELAY_MS + JITTER_MS * jitter);
    const [least, most] = HELD_BACK_MS;
    const heldMs = isHeld < HELD_BACK ? least + (most - least) * held : 0;
    return this.#isBad ? undefined : this.#lastMs + heldMs;
  }
}

/** Random numbers from 0 to 1. Source: Tommy Ettinger's mulberry32. */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
