import { describe, expect, it } from "vitest";
import { heardSentences, sentenceStarts } from "../../lab/voice/sentences.mjs";
import { noise, recordingOf } from "./sounds.ts";

const RATE_HZ = 24_000;
/** A sentence of 0.8 s. */
const SENTENCE = { rateHz: RATE_HZ, startMs: 0, samples: noise(1, 0.8 * RATE_HZ, 8) };

describe("repetitions of a sentence", () => {
  it("are found from anywhere in it, with pauses between them", () => {
    const recording = recordingOf(RATE_HZ, 5_000, [
      [300, SENTENCE.samples],
      [1_100, SENTENCE.samples],
      [1_950, SENTENCE.samples],
    ]);
    const later = { ...recording, startMs: 5_500, samples: recording.samples.slice(0.5 * RATE_HZ) };
    for (const [at, expected] of [
      [recording, [5_300, 6_100, 6_950]],
      [later, [6_100, 6_950]],
    ] as const) {
      const starts = sentenceStarts(SENTENCE, at);
      expect(starts).toHaveLength(expected.length);
      for (const [number, start] of starts.entries()) expect(Math.abs(start - (expected[number] ?? 0))).toBeLessThan(1);
    }
  });

  it("are not found in another sound", () => {
    expect(sentenceStarts(SENTENCE, recordingOf(RATE_HZ, 0, [[0, noise(2, 3 * RATE_HZ, 8)]]))).toEqual([]);
  });
});

describe("heard sentences", () => {
  it("are cut where they are most like the sentence, each by its own delay", () => {
    const heard = recordingOf(RATE_HZ, 10_000, [
      [450, SENTENCE.samples],
      [1_600, SENTENCE.samples],
      [3_000, noise(3, RATE_HZ, 8)],
    ]);
    const found = heardSentences(SENTENCE, [10_250, 11_550, 13_500], heard);
    expect(found).toHaveLength(2);
    for (const { clean, degraded } of found) {
      expect(degraded).toHaveLength(clean.length);
      // To a quarter of a millisecond, which is a few samples.
      const best = [-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6].map((shift) => similarity(clean, degraded, shift));
      expect(Math.max(...best)).toBeGreaterThan(0.99);
    }
  });
});

function similarity(one: Float32Array, other: Float32Array, shift: number): number {
  const a = one.subarray(10 + shift, one.length - 10 + shift);
  const b = other.subarray(10, other.length - 10);
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
