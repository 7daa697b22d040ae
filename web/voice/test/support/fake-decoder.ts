import { UNIT_SAMPLES } from "../../src/limits.ts";
import type { UnitDecoder } from "../../src/playout/unit.ts";

/** A payload is the index of a unit's first sample in the signal. Concealment repeats the last pitch period. */
export class FakeDecoder implements UnitDecoder {
  readonly #signal: Float32Array;
  readonly #past = new Float32Array(4_800);
  #period = new Float32Array(0);
  #phase = 0;
  /** First samples of the decoded units, in order. */
  readonly starts: number[] = [];
  onDecode: (start: number) => void = () => {};

  constructor(signal: Float32Array) {
    this.#signal = signal;
  }

  decode(payload: Uint8Array, into: Float32Array): number {
    if (payload.length !== 4) throw new Error("not an index");
    const start = new DataView(payload.buffer, payload.byteOffset).getUint32(0);
    if (start + UNIT_SAMPLES > this.#signal.length) return -4;
    into.set(this.#signal.subarray(start, start + UNIT_SAMPLES));
    this.#remember(into, UNIT_SAMPLES);
    this.#period = new Float32Array(0);
    this.starts.push(start);
    this.onDecode(start);
    return UNIT_SAMPLES;
  }

  conceal(into: Float32Array, samples: number): number {
    // The first period begins where the sound ended.
    let step = 0;
    if (this.#period.length === 0) {
      this.#preparePeriod();
      step = (this.#past[this.#past.length - 1] ?? 0) - (this.#period[this.#period.length - 1] ?? 0);
    }
    const period = this.#period;
    for (let at = 0; at < samples; at += 1) {
      into[at] = (period[this.#phase] ?? 0) + step * Math.max(0, 1 - at / 96);
      this.#phase = (this.#phase + 1) % period.length;
    }
    this.#remember(into, samples);
    return samples;
  }

  reset(): void {
    this.#past.fill(0);
  }

  #remember(from: Float32Array, samples: number): void {
    this.#past.copyWithin(0, samples);
    this.#past.set(from.subarray(0, samples), this.#past.length - samples);
  }

  /** The last period. Its end fades into the sound before it, so that it can repeat without a step. */
  #preparePeriod(): void {
    const past = this.#past;
    const length = this.#findPeriod();
    const start = past.length - length;
    this.#period = past.slice(start);
    const fade = Math.floor(length / 2);
    this.#phase = 0;
    for (let at = 0; at < fade; at += 1) {
      const part = (at + 1) / fade;
      const end = length - fade + at;
      this.#period[end] = (past[start + end] ?? 0) * (1 - part) + (past[start + end - length] ?? 0) * part;
    }
  }

  #findPeriod(): number {
    const past = this.#past;
    let best = 480;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (let lag = 120; lag <= 720; lag += 1) {
      let product = 0;
      let power = 1e-9;
      for (let at = past.length - 720; at < past.length; at += 4) {
        product += (past[at] ?? 0) * (past[at - lag] ?? 0);
        power += (past[at - lag] ?? 0) ** 2;
      }
      const score = product / Math.sqrt(power);
      if (score > bestScore) [best, bestScore] = [lag, score];
    }
    return best;
  }
}
