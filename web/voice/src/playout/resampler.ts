/** Changes the sample rate of one channel by a windowed sinc. Streaming; a call allocates nothing. */

/** Zero crossings of the sinc on each side: more of them make the transition at the highest frequencies narrower. */
const CROSSINGS = 16;
/** Rows of the table; between them it is interpolated, so any ratio of rates is possible. */
const PHASES = 256;
/** Shape of the Kaiser window: side lobes below −80 dB. */
const KAISER_BETA = 8;
/** Cut-off as a part of half of the lower rate. */
const CUT_OFF = 0.92;
/** Most input samples of one call: eight quanta of an AudioContext at 192 kHz for one at 48 kHz. */
const INPUT_SAMPLES_MAX = 4_096;

/** A stream of samples from one rate to another. Its delay is that of {@link Resampler.delaySamples}. */
export class Resampler {
  readonly #fromHz: number;
  readonly #toHz: number;
  readonly #half: number;
  /** For each phase the weights of the input samples. One phase more, to interpolate. */
  readonly #table: Float32Array;
  readonly #input: Float32Array;
  #inputs: number;
  /** Position of the next output after the first kept input: whole samples, and parts of `#toHz`. */
  #whole = 0;
  #part = 0;

  /** Rates are positive integers in hertz. */
  constructor(fromHz: number, toHz: number) {
    this.#fromHz = fromHz;
    this.#toHz = toHz;
    this.#half = Math.ceil(CROSSINGS * Math.max(1, fromHz / toHz));
    this.#table = makeTable(this.#half, Math.min(1, toHz / fromHz) * CUT_OFF);
    this.#input = new Float32Array(INPUT_SAMPLES_MAX + 4 * this.#half);
    this.#inputs = this.#half - 1;
  }

  /** Input samples by which the output is late. */
  get delaySamples(): number {
    return this.#half;
  }

  /** Count of input samples to be given for `outputs` output samples. */
  inputNeeded(outputs: number): number {
    if (outputs <= 0) return 0;
    const steps = Math.floor((this.#part + (outputs - 1) * this.#fromHz) / this.#toHz);
    return Math.max(0, this.#whole + steps + 2 * this.#half - this.#inputs);
  }

  /**
   * Takes the first `inputs` samples of `input` and writes as many output samples as they allow and `out` holds. Returns
   * their count. Input without an output waits for the next call; input that doesn't fit is dropped.
   */
  process(input: Float32Array, inputs: number, out: Float32Array): number {
    const fits = Math.min(inputs, this.#input.length - this.#inputs);
    for (let at = 0; at < fits; at += 1) this.#input[this.#inputs + at] = input[at] ?? 0;
    this.#inputs += fits;
    let count = 0;
    while (count < out.length && this.#whole + 2 * this.#half <= this.#inputs) {
      out[count] = this.#sample();
      count += 1;
      this.#part += this.#fromHz;
      while (this.#part >= this.#toHz) {
        this.#part -= this.#toHz;
        this.#whole += 1;
      }
    }
    this.#forget();
    return count;
  }

  #sample(): number {
    const phase = (this.#part * PHASES) / this.#toHz;
    const row = Math.floor(phase);
    const between = phase - row;
    const width = 2 * this.#half;
    let low = 0;
    let high = 0;
    for (let at = 0; at < width; at += 1) {
      const sample = this.#input[this.#whole + at] ?? 0;
      low += sample * (this.#table[row * width + at] ?? 0);
      high += sample * (this.#table[(row + 1) * width + at] ?? 0);
    }
    return low + (high - low) * between;
  }

  /** Removes the inputs before the next output. */
  #forget(): void {
    const done = Math.min(this.#whole, this.#inputs);
    this.#input.copyWithin(0, done, this.#inputs);
    this.#inputs -= done;
    this.#whole -= done;
  }
}

function makeTable(half: number, cutOff: number): Float32Array {
  const width = 2 * half;
  const table = new Float32Array((PHASES + 1) * width);
  for (let phase = 0; phase <= PHASES; phase += 1) {
    let sum = 0;
    for (let at = 0; at < width; at += 1) {
      const x = at - (half - 1) - phase / PHASES;
      const weight = cutOff * sinc(cutOff * x) * kaiser(x / half);
      table[phase * width + at] = weight;
      sum += weight;
    }
    for (let at = 0; at < width; at += 1) table[phase * width + at] = (table[phase * width + at] ?? 0) / sum;
  }
  return table;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel(KAISER_BETA * Math.sqrt(1 - x * x)) / bessel(KAISER_BETA);
}

/** The modified Bessel function of order 0. */
function bessel(x: number): number {
  let term = 1;
  let sum = 1;
  for (let at = 1; term > sum * 1e-12; at += 1) {
    term *= (x / (2 * at)) ** 2;
    sum += term;
  }
  return sum;
}
