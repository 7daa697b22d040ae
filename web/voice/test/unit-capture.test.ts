import type { CapturedUnit } from "@stoa/client";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { UnitCapture } from "../src/capture/unit-capture.ts";
import { Opus, type OpusEncoder } from "../src/codec/opus.ts";
import { RENDER_SAMPLES } from "../src/limits.ts";

let opus: Opus;
let encoder: OpusEncoder;
let units: CapturedUnit[];

beforeAll(async () => {
  opus = await Opus.load();
});

beforeEach(() => {
  [encoder, units] = [opus.encoder(), []];
});

/** Captures a sound for some seconds, from a time on. */
function capture(
  into: UnitCapture,
  sound: (second: number) => number,
  { seconds = 1, rateHz = 48_000, fromMs = 0 } = {},
) {
  const samples = new Float32Array(RENDER_SAMPLES);
  for (let at = 0; at + RENDER_SAMPLES <= seconds * rateHz; at += RENDER_SAMPLES) {
    for (let sample = 0; sample < RENDER_SAMPLES; sample += 1) samples[sample] = sound((at + sample) / rateHz);
    into.push(samples, fromMs + (1_000 * at) / rateHz, (unit) => units.push(unit));
  }
}

/** Harmonics of 140 Hz in four syllables a second. */
function speech(second: number): number {
  const loudness = 0.1 + 0.1 * Math.sin(2 * Math.PI * 4 * second);
  let sum = 0;
  for (let harmonic = 1; harmonic < 12; harmonic += 1)
    sum += Math.sin(2 * Math.PI * 140 * harmonic * second) / harmonic;
  return loudness * sum;
}

describe("captured units", () => {
  it("follow each other every 20 ms, by number and by time", () => {
    capture(new UnitCapture(encoder, 48_000), speech, { fromMs: 500 });
    expect(units).toHaveLength(50);
    for (const [at, unit] of units.entries()) {
      expect(unit.number).toBe(at + 1);
      expect(unit.capturedMs).toBeCloseTo(500 + 20 * at, 6);
    }
  });

  it("keep time at another rate of the context", () => {
    capture(new UnitCapture(encoder, 44_100), speech, { rateHz: 44_100, seconds: 2 });
    expect(units.length).toBeGreaterThan(96);
    for (const [at, unit] of units.entries()) expect(Math.abs(unit.capturedMs - 20 * at)).toBeLessThan(4);
  });

  it("tell loudness and speech", () => {
    capture(new UnitCapture(encoder, 48_000), speech);
    const spoken = units.filter(({ level }) => level >= 0x80);
    expect(spoken.length).toBeGreaterThan(30);
    for (const { level } of spoken.slice(5)) expect(level & 0x7f).toBeLessThan(40);
  });

  it("end in silence, and go on with the next number", () => {
    const captured = new UnitCapture(encoder, 48_000);
    capture(captured, (second) => (second < 1 || second >= 3 ? speech(second) : 0), { seconds: 4 });
    const pause = units.findIndex(({ capturedMs }, at) => capturedMs - (units[at - 1]?.capturedMs ?? 0) > 1_000);
    expect(pause).toBeGreaterThan(49);
    // The last units before the pause tell no speech.
    expect((units[pause - 1]?.level ?? 255) & 0x80).toBe(0);
    expect(units.map(({ number }) => number)).toEqual(units.map((_, at) => at + 1));
    expect(Math.abs((units[pause]?.capturedMs ?? 0) - 3_000)).toBeLessThan(60);
  });

  it("are smaller on a slow way up, within the codec's range", () => {
    const captured = new UnitCapture(encoder, 48_000);
    const size = () => units.splice(0).reduce((sum, { payload }) => sum + payload.length, 0);
    capture(captured, speech);
    const fast = size();
    captured.adapt({ bytesPerS: 6_000, lostPerMille: 0 });
    capture(captured, speech, { fromMs: 1_000 });
    const slow = size();
    captured.adapt({ bytesPerS: 0, lostPerMille: 1_000 });
    capture(captured, speech, { fromMs: 2_000 });
    expect([slow < 0.75 * fast, size() > 500]).toEqual([true, true]);
  });
});
