import { expect, it } from "vitest";
import { STRETCH_SAMPLES_MAX, STRETCH_SAMPLES_MIN, VOICE_RATE_HZ } from "../../src/limits.ts";
import { SampleRing } from "../../src/playout/sample-ring.ts";
import { TimeStretcher } from "../../src/playout/time-stretcher.ts";
import { seeded } from "../support/random.ts";

const PLAYED = 4_800;

/** A ring that has played 100 ms of a sound and has 20 ms left. */
function ringOf(sound: (at: number) => number): SampleRing {
  const ring = new SampleRing(8_192);
  const samples = Float32Array.from({ length: PLAYED + 960 }, (_, at) => sound(at));
  ring.append(samples, 0, samples.length);
  ring.read(new Float32Array(PLAYED));
  return ring;
}

/** The sample before the jump and those after it. */
function heard(ring: SampleRing, before: number): Float32Array {
  const after = new Float32Array(ring.available);
  ring.read(after);
  return Float32Array.from([before, ...after]);
}

function largestStep(samples: Float32Array): number {
  return samples.reduce((step, sample, at) => Math.max(step, Math.abs(sample - (samples[at - 1] ?? sample))), 0);
}

function periodic(hz: number): (at: number) => number {
  const phase = (2 * Math.PI * hz) / VOICE_RATE_HZ;
  return (at) => 0.3 * Math.sin(phase * at) + 0.2 * Math.sin(2 * phase * at + 1) + 0.1 * Math.sin(7 * phase * at);
}

it.each([90, 130, 210, 350])("skips and repeats whole periods of %i Hz without a trace", (hz) => {
  const sound = periodic(hz);
  for (const sign of [1, -1]) {
    const ring = ringOf(sound);
    const samples = new TimeStretcher().stretch(ring, 0, sign * STRETCH_SAMPLES_MAX, 0.9);
    const periods = (samples * hz) / VOICE_RATE_HZ;
    expect(Math.sign(samples)).toBe(sign);
    expect(Math.abs(periods - Math.round(periods))).toBeLessThan(0.01);
    expect(ring.available).toBe(960 - samples);
    const after = heard(ring, sound(PLAYED - 1));
    after.forEach((sample, at) => {
      expect(Math.abs(sample - sound(PLAYED - 1 + at))).toBeLessThan(0.03);
    });
  }
});

it("has no step in a sound without any period", () => {
  for (const sign of [1, -1]) {
    const chirp = (at: number) => 0.4 * Math.sin(2e-6 * at * at + 0.01 * at);
    const ring = ringOf(chirp);
    const samples = new TimeStretcher().stretch(ring, sign * 400, sign * 410, -1);
    expect(Math.abs(samples)).toBeGreaterThanOrEqual(400);
    const usual = Math.max(...Array.from({ length: 5_000 }, (_, at) => Math.abs(chirp(at + 1) - chirp(at))));
    expect(largestStep(heard(ring, chirp(PLAYED - 1)))).toBeLessThan(2 * usual);
  }
});

it("keeps within the limits of a step, and leaves the sound as it is where nothing is similar", () => {
  const random = seeded(4);
  const noise = Array.from({ length: PLAYED + 960 }, () => random() - 0.5);
  const stretcher = new TimeStretcher();
  for (const sign of [1, -1]) {
    const ring = ringOf((at) => noise[at] ?? 0);
    expect(stretcher.stretch(ring, 0, sign * STRETCH_SAMPLES_MAX, 0.9)).toBe(0);
    expect(stretcher.stretch(ring, 0, sign * (STRETCH_SAMPLES_MIN - 1), -1)).toBe(0);
    expect(ring.available).toBe(960);
    const samples = stretcher.stretch(ring, 0, sign * 10 * STRETCH_SAMPLES_MAX, -1);
    expect(Math.abs(samples)).toBeGreaterThanOrEqual(STRETCH_SAMPLES_MIN);
    expect(Math.abs(samples)).toBeLessThanOrEqual(STRETCH_SAMPLES_MAX);
  }
});

it("stretches a quiet sound anywhere", () => {
  const random = seeded(4);
  const ring = ringOf(() => 0.001 * (random() - 0.5));
  expect(new TimeStretcher().stretch(ring, 0, STRETCH_SAMPLES_MAX, 0.9)).toBeGreaterThan(0);
});
