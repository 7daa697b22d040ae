/** What is loaded next: the nearest and largest first, a few at once. Pure: whoever asks says how urgent each is. */

/** How far loading is; `failed` are among the `settled`. */
export interface Progress {
  readonly settled: number;
  readonly failed: number;
  readonly all: number;
}

/** Files that wait, by key. */
export class LoadQueue {
  readonly #atOnce: number;
  readonly #waiting = new Map<string, () => number>();
  readonly #running = new Set<string>();
  #settled = 0;
  #failed = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  get progress(): Progress {
    const all = this.#settled + this.#running.size + this.#waiting.size;
    return { settled: this.#settled, failed: this.#failed, all };
  }

  /** One more; `urgency` is asked each time a place is free. After a pause counting begins anew. */
  add(key: string, urgency: () => number): void {
    if (this.#waiting.size === 0 && this.#running.size === 0) [this.#settled, this.#failed] = [0, 0];
    this.#waiting.set(key, urgency);
  }

  /** Nobody wants it any more. One that runs makes its place free. */
  drop(key: string): void {
    this.#waiting.delete(key);
    this.#running.delete(key);
  }

  /** The most urgent one, which runs from now on; `undefined`: all places are taken, or nothing waits. */
  take(): string | undefined {
    if (this.#running.size >= this.#atOnce) return undefined;
    let best: string | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const [key, urgency] of this.#waiting) {
      const urgent = urgency();
      if (best !== undefined && urgent <= most) continue;
      [best, most] = [key, urgent];
    }
    if (best === undefined) return undefined;
    this.#waiting.delete(best);
    this.#running.add(best);
    return best;
  }

  /** It is there, or won't be. What was dropped meanwhile doesn't count. */
  settle(key: string, isThere: boolean): void {
    if (!this.#running.delete(key)) return;
    this.#settled += 1;
    if (!isThere) this.#failed += 1;
  }
}

/** How urgent a thing of a size is at a distance, both in metres: how large it is to the eye. */
export function urgencyOf(sizeM: number, distanceM: number): number {
  return sizeM / Math.max(distanceM, 1);
}
