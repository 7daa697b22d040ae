/** Remembers the people whom the user has hidden in this session. */

/** The hidden people, whose avatars aren't drawn and whose messages aren't shown. */
export class HiddenPeople {
  readonly #ids = new Set<string>();
  readonly #listeners = new Set<() => void>();

  has(idTag: string): boolean {
    return this.#ids.has(idTag);
  }

  /** Hides or shows a person. */
  set(idTag: string, hidden: boolean): void {
    if (hidden) this.#ids.add(idTag);
    else this.#ids.delete(idTag);
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` on each change, until the returned function is called. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
