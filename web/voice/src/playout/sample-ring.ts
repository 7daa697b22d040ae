/** Decoded samples around the moment of playing: those played last and those to be played next. */
export class SampleRing {
  readonly #samples: Float32Array;
  readonly #mask: number;
  #read = 0;
  #write = 0;

  /** `capacity` is a power of two. */
  constructor(capacity: number) {
    this.#samples = new Float32Array(capacity);
    this.#mask = capacity - 1;
  }

  /** Count of samples to be played. */
  get available(): number {
    return this.#write - this.#read;
  }

  /** The sample `offset` after the next one to be played; before it, if negative. */
  at(offset: number): number {
    return this.#samples[(this.#read + offset) & this.#mask] ?? 0;
  }

  put(offset: number, sample: number): void {
    this.#samples[(this.#read + offset) & this.#mask] = sample;
  }

  append(from: Float32Array, start: number, end: number): void {
    for (let at = start; at < end; at += 1) {
      this.#samples[this.#write & this.#mask] = from[at] ?? 0;
      this.#write += 1;
    }
  }

  /** Plays samples into the beginning of `out`; returns their count. */
  read(out: Float32Array): number {
    const count = Math.min(out.length, this.available);
    for (let at = 0; at < count; at += 1) out[at] = this.at(at);
    this.#read += count;
    return count;
  }

  /** Continues `samples` later, or earlier if negative. */
  jump(samples: number): void {
    this.#read += samples;
  }
}
