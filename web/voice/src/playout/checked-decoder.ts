import type { UnitDecoder } from "./unit.ts";

/** Opus exceeds 1 a little where the captured sound was loud. */
const SAMPLE_MAX = 4;

/** A decoder that returns 0 where the wrapped one throws, and only finite samples: one NaN would silence a whole graph. */
export class CheckedDecoder {
  readonly #decoder: UnitDecoder;

  constructor(decoder: UnitDecoder) {
    this.#decoder = decoder;
  }

  get hasFec(): boolean {
    return this.#decoder.decodeFec !== undefined;
  }

  decode(payload: Uint8Array, into: Float32Array): number {
    try {
      return check(into, this.#decoder.decode(payload, into));
    } catch {
      return 0;
    }
  }

  decodeFec(nextPayload: Uint8Array, into: Float32Array): number {
    try {
      return check(into, this.#decoder.decodeFec?.(nextPayload, into) ?? 0);
    } catch {
      return 0;
    }
  }

  /** Writes all `samples`: silence after those of the decoder. */
  conceal(into: Float32Array, samples: number): void {
    let count = 0;
    try {
      count = Math.min(samples, check(into, this.#decoder.conceal(into, samples)));
    } catch {
      count = 0;
    }
    into.fill(0, count, samples);
  }

  reset(): void {
    try {
      this.#decoder.reset();
    } catch {
      // The next units tell whether it decodes.
    }
  }
}

/** Silences samples that are no sound; returns the count of valid samples. */
function check(into: Float32Array, count: number): number {
  const valid = count > 0 ? Math.min(Math.floor(count), into.length) : 0;
  for (let at = 0; at < valid; at += 1) {
    if (!(Math.abs(into[at] ?? 0) < SAMPLE_MAX)) into[at] = 0;
  }
  return valid;
}
