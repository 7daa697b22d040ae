/** Detects pushes of a thumbstick: one push counts once, until the stick is released. Pure. */
export class ThumbstickEdgeDetector {
  readonly #at: number;
  #isPushed = false;

  /** `at` is the deflection, up to 1, that counts as pushed. */
  constructor(at: number) {
    this.#at = at;
  }

  /** -1 or 1 at the start of a push, by direction; else 0. */
  push(value: number): -1 | 0 | 1 {
    const isPushed = Math.abs(value) >= this.#at;
    const isNew = isPushed && !this.#isPushed;
    this.#isPushed = isPushed;
    return isNew ? (value > 0 ? 1 : -1) : 0;
  }
}
