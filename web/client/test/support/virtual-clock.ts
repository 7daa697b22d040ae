import type { Clock } from "../../src/clock.ts";

interface Timer {
  readonly at: number;
  readonly then: () => void;
}

/** A clock that the test advances. */
export class VirtualClock implements Clock {
  #now = 1_800_000_000_000;
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, then: () => void): () => void {
    const timer = { at: this.#now + delayMs, then };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Advances time. Each timer fires at its time, and its promises settle before the next timer. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (let next = this.#next(); next !== undefined && next.at <= until; next = this.#next()) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.then();
      await settle();
    }
    this.#now = until;
  }

  /** Freezes the tab: no timer fires during `ms`, and late timers fire once afterwards. */
  async freeze(ms: number): Promise<void> {
    await settle();
    this.#now += ms;
    await this.advance(0);
  }

  #next(): Timer | undefined {
    return [...this.#timers].sort((a, b) => a.at - b.at)[0];
  }
}

/** Runs all pending promise callbacks. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
