/** Listeners by kind of event, called in the order of their addition. */
export class Listeners<Events> {
  readonly #byKind = new Map<keyof Events, Set<(event: never) => void>>();

  /** Adds a listener; the returned function removes it. */
  on<K extends keyof Events>(kind: K, listener: (event: Events[K]) => void): () => void {
    const listeners = this.#byKind.get(kind) ?? new Set();
    this.#byKind.set(kind, listeners);
    // A wrapper for each call, as the same function may listen twice.
    const own = (event: Events[K]) => listener(event);
    listeners.add(own);
    return () => listeners.delete(own);
  }

  /** Calls the listeners of `kind`. */
  emit<K extends keyof Events>(kind: K, event: Events[K]): void {
    for (const listener of [...(this.#byKind.get(kind) ?? [])]) Reflect.apply(listener, undefined, [event]);
  }
}
