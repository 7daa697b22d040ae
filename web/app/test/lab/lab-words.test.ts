import { describe, expect, it } from "vitest";
import { beginningHeard, onsetMs, saidWord, spacedWords, voiceBand, wordAt, wordsOf } from "../../lab/voice/words.mjs";
import { noise, recordingOf } from "./sounds.ts";

const RATE_HZ = 8_000;
const MS = RATE_HZ / 1_000;
const PHRASES = [noise(1, 900 * MS, 4), noise(2, 700 * MS, 4)] as const;
/** Two phrases: one with a short silence inside, and a long one before the other. */
const FILE = recordingOf(RATE_HZ, 0, [
  [0, PHRASES[0].subarray(0, 600 * MS)],
  [640, PHRASES[0].subarray(640 * MS)],
  [1_200, PHRASES[1]],
  [1_900, new Float32Array(300 * MS)],
]);

describe("the words of a file", () => {
  it("are the beginnings of its phrases", () => {
    const words = wordsOf(FILE);
    expect(words.map(({ samples }) => samples.length)).toEqual([500 * MS, 500 * MS]);
    expect(words[1]?.samples[0]).toBe(PHRASES[1][0]);
  });

  it("are said after silences", () => {
    const words = wordsOf(FILE);
    const spaced = spacedWords(words, 2_000);
    expect(spaced.samples).toHaveLength(5_000 * MS);
    expect(onsetMs(spaced)).toBeCloseTo(2_000, 0);
    const said = saidWord(words, { ...spaced, startMs: 700 }, 2_700);
    expect(said.number).toBe(0);
    expect(said.atMs).toBeCloseTo(2_700, 1);
    expect(said.correlation).toBeCloseTo(1, 2);
    expect(saidWord(words, spaced, 4_500).number).toBe(1);
    expect(wordAt({ ...spaced, startMs: 700 }, 2_700).samples).toEqual(words[0]?.samples);
    expect(onsetMs({ ...spaced, samples: new Float32Array(100) })).toBeUndefined();
  });
});

describe("the beginning of a word", () => {
  const [word] = wordsOf(FILE);
  if (word === undefined) throw new Error("the file has no word");
  const { samples } = word;
  const heardFrom = (missingMs: number) =>
    recordingOf(RATE_HZ, 1_000, [
      [400 + missingMs, samples.slice(missingMs * MS)],
      [2_000, new Float32Array(1)],
    ]);

  it("is heard if it is whole, and not if it is missing", () => {
    const { correlation, delayMs } = beginningHeard(word, 1_250, heardFrom(0));
    expect(correlation).toBeCloseTo(1, 3);
    expect(delayMs).toBeCloseTo(150, 1);
    expect(beginningHeard(word, 1_250, heardFrom(20)).correlation).toBeGreaterThan(0.7);
    expect(beginningHeard(word, 1_250, heardFrom(40)).correlation).toBeLessThan(0.7);
    expect(beginningHeard(word, 1_250, heardFrom(60)).correlation).toBeLessThan(0.5);
  });

  it("is not heard in silence or another sound", () => {
    const silent = recordingOf(RATE_HZ, 1_000, [[0, new Float32Array(2_000 * MS)]]);
    expect(beginningHeard(word, 1_250, silent).correlation).toBeLessThan(0.1);
    const other = recordingOf(RATE_HZ, 1_000, [[0, noise(9, 2_000 * MS, 4)]]);
    expect(beginningHeard(word, 1_250, other).correlation).toBeLessThan(0.7);
  });
});

describe("a telephone's band", () => {
  /** The loudness of a tone in the band, against the tone's own. */
  const passed = (toneHz: number) => {
    const rateHz = 16_000;
    const tone = Float32Array.from({ length: rateHz }, (_, at) => Math.sin((2 * Math.PI * toneHz * at) / rateHz));
    const { samples } = voiceBand({ rateHz, startMs: 0, samples: tone });
    const power = (of: Float32Array) => of.reduce((sum, one) => sum + one * one, 0);
    return Math.sqrt(power(samples) / power(tone));
  };

  it("keeps its middle, and halves the power at both ends", () => {
    expect(passed(1_000)).toBeGreaterThan(0.98);
    for (const end of [300, 3_400]) expect(passed(end)).toBeCloseTo(Math.SQRT1_2, 1);
    for (const outside of [50, 7_000]) expect(passed(outside)).toBeLessThan(0.1);
  });
});
