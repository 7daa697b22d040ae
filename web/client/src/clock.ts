/** Time as the client sees it, an argument so that tests have their own. */
export interface Clock {
  /** Milliseconds since 1970, but for {@link evenClock}. */
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

/** Milliseconds since the page began: nobody sets it while it goes. */
export const evenClock: Clock = { ...systemClock, now: () => performance.now() };
