/**
 * Shortens and lengthens a voice by WSOLA (Verhelst and Roelands, 1993): playing continues some samples later or earlier,
 * where the sound is most similar, with a cross-fade.
 */
import { FADE_SAMPLES, STRETCH_SAMPLES_MAX, STRETCH_SAMPLES_MIN } from "../limits.ts";
import type { SampleRing } from "./sample-ring.ts";

/** The first search is at 8 kHz. */
const STEP = 6;
/** Samples before and after the jump that are compared: together a period of the lowest voices. */
const BEFORE = 480;
const AFTER = 240;
const COMPARED = (BEFORE + AFTER) / STEP;
const SPAN = (BEFORE + 2 * STRETCH_SAMPLES_MAX + AFTER) / STEP;
/** Mean square of −50 dBFS: any step fits. */
const QUIET = 1e-5;

/** Finds and makes one jump at a time. */
export class TimeStretcher {
  readonly #coarse = new Float32Array(SPAN);

  /**
   * Skips between `shortest` and `longest` samples, or repeats them if negative, where the similarity is at least
   * `similarityMin` (1 is the same sound). Returns the samples skipped, negative if repeated, 0 if none.
   */
  stretch(ring: SampleRing, shortest: number, longest: number, similarityMin: number): number {
    const isLater = longest > 0;
    const max = isLater ? Math.min(longest, STRETCH_SAMPLES_MAX, ring.available - FADE_SAMPLES) : -longest;
    const min = Math.max(Math.abs(shortest), STRETCH_SAMPLES_MIN);
    if (min > Math.min(max, STRETCH_SAMPLES_MAX) || ring.available < FADE_SAMPLES) return 0;
    const sign = isLater ? 1 : -1;
    const coarse = this.#search(ring, sign * min, sign * Math.min(max, STRETCH_SAMPLES_MAX));
    const lag = this.#refine(ring, coarse, min, max);
    if (energy(ring, 0) > QUIET && similarity(ring, lag) < similarityMin) return 0;
    jump(ring, lag);
    return lag;
  }

  /** The best lag in steps of 6 samples. */
  #search(ring: SampleRing, from: number, to: number): number {
    const coarse = this.#coarse;
    const first = -BEFORE - (from < 0 ? STRETCH_SAMPLES_MAX : 0);
    for (let at = 0; at < SPAN; at += 1) {
      let sum = 0;
      for (let part = 0; part < STEP; part += 1) sum += ring.at(first + at * STEP + part);
      coarse[at] = sum;
    }
    const zero = from < 0 ? STRETCH_SAMPLES_MAX / STEP : 0;
    const low = Math.min(from, to);
    const high = Math.max(from, to);
    let best = from;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (let lag = Math.ceil(low / STEP); lag <= Math.floor(high / STEP); lag += 1) {
      const score = this.#coarseSimilarity(zero, zero + lag);
      if (score <= bestScore) continue;
      bestScore = score;
      best = lag * STEP;
    }
    return best;
  }

  #coarseSimilarity(one: number, other: number): number {
    const coarse = this.#coarse;
    let product = 0;
    let power = 0;
    for (let at = 0; at < COMPARED; at += 1) {
      const b = coarse[other + at] ?? 0;
      product += (coarse[one + at] ?? 0) * b;
      power += b * b;
    }
    return product / Math.sqrt(power + 1e-9);
  }

  /** The best lag within 6 samples around `coarse`. */
  #refine(ring: SampleRing, coarse: number, min: number, max: number): number {
    let best = coarse;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (let lag = coarse - STEP; lag <= coarse + STEP; lag += 1) {
      if (Math.abs(lag) < min || Math.abs(lag) > max) continue;
      const score = similarity(ring, lag);
      if (score <= bestScore) continue;
      bestScore = score;
      best = lag;
    }
    return best;
  }
}

/** Normalised correlation of the sound around now with that around `lag` samples later; every second sample counts. */
function similarity(ring: SampleRing, lag: number): number {
  let product = 0;
  let powerA = 0;
  let powerB = 0;
  for (let at = -BEFORE; at < AFTER; at += 2) {
    const a = ring.at(at);
    const b = ring.at(at + lag);
    product += a * b;
    powerA += a * a;
    powerB += b * b;
  }
  return product / (Math.sqrt(powerA * powerB) + 1e-9);
}

/** Mean square of the sound around `lag` samples later. */
function energy(ring: SampleRing, lag: number): number {
  let power = 0;
  for (let at = -BEFORE; at < AFTER; at += 2) power += ring.at(at + lag) ** 2;
  return (2 * power) / (BEFORE + AFTER);
}

/** Continues `lag` samples later, with a cross-fade. */
function jump(ring: SampleRing, lag: number): void {
  const fade = lag > 0 ? Math.min(FADE_SAMPLES, lag) : FADE_SAMPLES;
  for (let at = 0; at < fade; at += 1) {
    const part = (at + 0.5) / fade;
    ring.put(lag + at, ring.at(at) * (1 - part) + ring.at(lag + at) * part);
  }
  ring.jump(lag);
}
