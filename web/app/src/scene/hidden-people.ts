/** Whom somebody keeps out of their own sight: neither drawn nor read. Pure. */
export class HiddenPeople {
  readonly #ids = new Set<string>();
  readonly #listeners = new Set<() => void>();

  has(idTag: string): boolean {
    return this.#ids.has(idTag);
  }

  /** Hides somebody, or shows them again. */
  set(idTag: string, hidden: boolean): void {
    if (hidden) this.#ids.add(idTag);
    else this.#ids.delete(idTag);
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` whenever it changes, until the returned function is called. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
