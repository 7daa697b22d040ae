import { expect, it } from "vitest";
import { Resampler } from "../../src/playout/resampler.ts";

/** A second of a sine. */
function sine(hz: number, rateHz: number): Float32Array {
  return Float32Array.from({ length: rateHz }, (_, at) => 0.5 * Math.sin((2 * Math.PI * hz * at) / rateHz));
}

/** All output for `input`, given in pieces of `chunk` samples. */
function resample(input: Float32Array, fromHz: number, toHz: number, chunk: number): Float32Array {
  const resampler = new Resampler(fromHz, toHz);
  const out = new Float32Array(4_096);
  const all: number[] = [];
  for (let at = 0; at < input.length; at += chunk) {
    const part = input.subarray(at, at + chunk);
    const count = resampler.process(part, part.length, out);
    all.push(...out.subarray(0, count));
  }
  return Float32Array.from(all);
}

/** Ratio of the sine of best fit to the rest, in decibels. */
function signalToNoise(
  samples: Float32Array,
  hz: number,
  rateHz: number,
): { readonly db: number; readonly gain: number } {
  const skip = 400;
  const steady = samples.subarray(skip, samples.length - skip);
  let [cosine, sinus] = [0, 0];
  const step = (2 * Math.PI * hz) / rateHz;
  const count = Math.floor(steady.length / rateHz / (1 / 100)) * Math.round(rateHz / 100);
  for (let at = 0; at < count; at += 1) {
    cosine += ((steady[at] ?? 0) * Math.cos(step * at) * 2) / count;
    sinus += ((steady[at] ?? 0) * Math.sin(step * at) * 2) / count;
  }
  let [signal, noise] = [0, 0];
  for (let at = 0; at < count; at += 1) {
    const fitted = cosine * Math.cos(step * at) + sinus * Math.sin(step * at);
    signal += fitted ** 2;
    noise += ((steady[at] ?? 0) - fitted) ** 2;
  }
  return { db: 10 * Math.log10(signal / noise), gain: Math.hypot(cosine, sinus) / 0.5 };
}

const RATES = [
  [48_000, 44_100],
  [48_000, 96_000],
  [48_000, 16_000],
  [48_000, 192_000],
  [44_100, 48_000],
  [96_000, 48_000],
  [48_000, 48_000],
  [47_997, 48_000],
] as const;

it.each(RATES)("keeps sines below 8 kHz from %i to %i Hz, with noise below −60 dB", (fromHz, toHz) => {
  for (const hz of [100, 1_000, 3_300, toHz === 16_000 ? 5_000 : 7_900]) {
    const { db, gain } = signalToNoise(resample(sine(hz, fromHz), fromHz, toHz, 128), hz, toHz);
    expect(db, `${hz} Hz`).toBeGreaterThan(60);
    expect(gain, `${hz} Hz`).toBeCloseTo(1, 2);
  }
});

it("removes tones above half of a lower rate", () => {
  const out = resample(sine(12_000, 48_000), 48_000, 16_000, 128);
  expect(Math.max(...out.subarray(200))).toBeLessThan(0.5e-3);
});

it("makes the same samples of any pieces", () => {
  const input = sine(440, 48_000).subarray(0, 12_000);
  const whole = resample(input, 48_000, 44_100, 3_000);
  for (const chunk of [1, 7, 128, 960]) expect(resample(input, 48_000, 44_100, chunk)).toEqual(whole);
});

it.each(RATES)("tells the exact input for 128 output samples from %i to %i Hz", (fromHz, toHz) => {
  const resampler = new Resampler(fromHz, toHz);
  const [input, out] = [new Float32Array(4_096), new Float32Array(128)];
  let [given, made] = [0, 0];
  for (let at = 0; at < 500; at += 1) {
    const needed = resampler.inputNeeded(128);
    given += needed;
    made += resampler.process(input, needed, out);
  }
  expect(made).toBe(500 * 128);
  expect(Math.abs(given - (made * fromHz) / toHz)).toBeLessThan(2 + resampler.delaySamples);
});

it("drops input that it has no space for", () => {
  const resampler = new Resampler(48_000, 48_000);
  const out = new Float32Array(16);
  for (let at = 0; at < 100; at += 1) resampler.process(new Float32Array(4_096), 4_096, out);
  expect(resampler.process(new Float32Array(0), 0, new Float32Array(8_192))).toBeLessThanOrEqual(4_096 + 64);
});
