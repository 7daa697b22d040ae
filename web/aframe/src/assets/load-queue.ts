/** Schedules downloads: nearest and largest first, a few at once. Pure: the caller supplies the priority. */

/** Loading progress; `failed` are included in `settled`. */
export interface LoadQueueProgress {
  readonly settled: number;
  readonly failed: number;
  readonly all: number;
}

/** Waiting and running files by key. */
export class LoadQueue {
  readonly #atOnce: number;
  readonly #waiting = new Map<string, () => number>();
  readonly #running = new Set<string>();
  #settled = 0;
  #failed = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  get progress(): LoadQueueProgress {
    const all = this.#settled + this.#running.size + this.#waiting.size;
    return { settled: this.#settled, failed: this.#failed, all };
  }

  /** Adds a file. `urgency` is evaluated whenever a slot is free. On an idle queue the counts restart. */
  add(key: string, urgency: () => number): void {
    if (this.#waiting.size === 0 && this.#running.size === 0) [this.#settled, this.#failed] = [0, 0];
    this.#waiting.set(key, urgency);
  }

  /** Cancels a file; a running one frees its slot. */
  drop(key: string): void {
    this.#waiting.delete(key);
    this.#running.delete(key);
  }

  /** Starts the most urgent file; `undefined` if no slot is free or no file waits. */
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

  /** Marks a running file as finished. A dropped file doesn't count. */
  settle(key: string, isThere: boolean): void {
    if (!this.#running.delete(key)) return;
    this.#settled += 1;
    if (!isThere) this.#failed += 1;
  }
}

/** Priority by apparent size. Both arguments in metres. */
export function urgencyOf(sizeM: number, distanceM: number): number {
  return sizeM / Math.max(distanceM, 1);
}
