/** The client's time source, which tests replace. */
export interface Clock {
  /** Unix milliseconds, except for {@link evenClock}. */
  now(): number;
  /** Calls `then` once after `delayMs`, unless the returned function is called before. */
  after(delayMs: number, then: () => void): () => void;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, then) {
    const timer = setTimeout(then, delayMs);
    return () => clearTimeout(timer);
  },
};

/** A monotonic clock: milliseconds since the page was loaded. */
export const evenClock: Clock = { ...systemClock, now: () => performance.now() };
