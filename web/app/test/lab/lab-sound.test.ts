import { describe, expect, it } from "vitest";
import { atRate, correlationOf, delaysBetween, powerOf } from "../../lab/sound.mjs";

const RATE_HZ = 48_000;

/** Noise of a second, the same for a seed. */
function noise(seed: number, seconds = 1): Float32Array {
  let state = seed;
  return Float32Array.from({ length: seconds * RATE_HZ }, () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
}

/** A recording of a sound that is played `delayMs` after the recording begins. */
function recorded(sound: Float32Array, startMs: number, delayMs: number) {
  const lead = Math.round((delayMs * RATE_HZ) / 1_000);
  const samples = new Float32Array(lead + sound.length);
  samples.set(sound, lead);
  return { rateHz: RATE_HZ, startMs, samples };
}

describe("the delays between two recordings", () => {
  it("count the times at which both began", () => {
    const sound = noise(1);
    const delays = delaysBetween(recorded(sound, 5_000, 0), recorded(sound, 4_900, 160));
    expect(delays).toHaveLength(4);
    for (const delay of delays) expect(delay).toBeCloseTo(60, 1);
  });

  it("are negative where the second recording is ahead", () => {
    const sound = noise(1);
    for (const delay of delaysBetween(recorded(sound, 0, 150), recorded(sound, 0, 50)))
      expect(delay).toBeCloseTo(-100, 1);
  });

  it("are found between recordings of different rates", () => {
    const tone = Float32Array.from({ length: RATE_HZ }, (_, at) => 0.3 * Math.sin(at / 40 + (at / 3_000) ** 2));
    const other = atRate(recorded(tone, 0, 80), 44_100);
    const delays = delaysBetween(recorded(tone, 0, 0), other);
    expect(delays.length).toBeGreaterThan(2);
    for (const delay of delays) expect(Math.abs(delay - 80)).toBeLessThan(0.2);
  });

  it("omit silence and another sound", () => {
    const sound = noise(1);
    expect(delaysBetween(recorded(new Float32Array(sound.length), 0, 0), recorded(sound, 0, 50))).toEqual([]);
    expect(delaysBetween(recorded(sound, 0, 0), recorded(noise(2, 2), 0, 0))).toEqual([]);
  });
});

describe("correlation and power", () => {
  it("are those of a signal and its inverse", () => {
    const sound = noise(3);
    expect(
      correlationOf(
        sound,
        sound.map((one) => -2 * one),
      ),
    ).toBeCloseTo(-1, 6);
    expect(powerOf(sound)).toBeCloseTo(1 / 12, 2);
  });
});
