import { describe, expect, it } from "vitest";
import { gapsIn } from "../../lab/voice/gaps.mjs";

const RATE_HZ = 48_000;
const DELAY_MS = 130;

/** A second of a low voice with a pause of 100 ms in its middle. */
function voice(): Float32Array {
  return Float32Array.from({ length: RATE_HZ }, (_, at) =>
    at >= 0.45 * RATE_HZ && at < 0.55 * RATE_HZ ? 0 : 0.3 * Math.sin((2 * Math.PI * 120 * at) / RATE_HZ),
  );
}

const said = { rateHz: RATE_HZ, startMs: 1_000, samples: voice() };

/** The voice as heard `DELAY_MS` later, at another loudness, with a silence at a time of its own. */
function heardWith(silenceMs: number, fromMs = 200, gain = 0.1) {
  const samples = new Float32Array(1.5 * RATE_HZ);
  samples.set(
    said.samples.map((sample) => gain * sample),
    (DELAY_MS * RATE_HZ) / 1_000,
  );
  const from = ((DELAY_MS + fromMs) * RATE_HZ) / 1_000;
  samples.fill(0, from, from + (silenceMs * RATE_HZ) / 1_000);
  return { rateHz: RATE_HZ, startMs: 1_000, samples };
}

describe("gaps in a heard voice", () => {
  it("are silences inside words, whatever the loudness", () => {
    for (const gain of [1, 0.1, 0.01]) {
      const { gaps, gapMs, voicedMs } = gapsIn(said, heardWith(80, 200, gain), DELAY_MS);
      expect(gaps).toEqual([80]);
      expect(gapMs).toBe(80);
      // 900 ms of sound, without 20 ms at both ends and at both sides of the pause.
      expect(Math.abs(voicedMs - 820)).toBeLessThan(15);
    }
  });

  it("are no pauses of the speaker, and no silences of up to 40 ms", () => {
    expect(gapsIn(said, heardWith(0), DELAY_MS).gaps).toEqual([]);
    expect(gapsIn(said, heardWith(40), DELAY_MS).gaps).toEqual([]);
    expect(gapsIn(said, heardWith(50), DELAY_MS).gaps).toEqual([50]);
  });

  it("are none where a delay varies by 55 ms", () => {
    for (const other of [-55, 55]) expect(gapsIn(said, heardWith(0), DELAY_MS + other).gaps).toEqual([]);
  });

  it("don't count where the recording has ended", () => {
    const heard = heardWith(0);
    const short = { ...heard, samples: heard.samples.slice(0, RATE_HZ / 2) };
    const { voicedMs, gaps } = gapsIn(said, short, DELAY_MS);
    expect(gaps).toEqual([]);
    expect(voicedMs).toBeLessThanOrEqual(370);
    expect(voicedMs).toBeGreaterThan(300);
  });

  it("are all of a word that is missing", () => {
    const { gapMs, voicedMs } = gapsIn(said, heardWith(450, 550), DELAY_MS);
    expect(gapMs / voicedMs).toBeCloseTo(0.5, 1);
  });
});
