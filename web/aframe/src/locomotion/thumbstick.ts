/** A stick that does something once when it is pushed, and again only after it has rested. Pure. */
export class Thumbstick {
  readonly #at: number;
  #isPushed = false;

  /** From `at` on, of 1, it counts as pushed. */
  constructor(at: number) {
    this.#at = at;
  }

  /** -1 or 1 when it has just been pushed that way, else 0. */
  push(value: number): -1 | 0 | 1 {
    const isPushed = Math.abs(value) >= this.#at;
    const isNew = isPushed && !this.#isPushed;
    this.#isPushed = isPushed;
    return isNew ? (value > 0 ? 1 : -1) : 0;
  }
}
