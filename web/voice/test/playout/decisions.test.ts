import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { UNIT_SAMPLES, VOICE_RATE_HZ } from "../../src/limits.ts";
import { VoicePlayout } from "../../src/playout/voice-playout.ts";
import { FakeDecoder } from "../support/fake-decoder.ts";
import { packIndex } from "../support/speech.ts";

interface Vector {
  readonly name: string;
  /** Number, time in ms, `1` for speech, and arrival in ms. */
  readonly arrivals: readonly (readonly [number, number, number, number])[];
  readonly decisions: readonly string[];
}

const VECTORS: readonly Vector[] = JSON.parse(readFileSync(new URL("vectors.json", import.meta.url), "utf8"));

/** The decisions of 300 ms, each with its moment in ms: the unit played, or a count of samples. */
function decide(arrivals: Vector["arrivals"]): string[] {
  const signal = new Float32Array(64 * UNIT_SAMPLES).map(
    (_, at) => 0.3 * Math.sin((2 * Math.PI * 200 * at) / VOICE_RATE_HZ),
  );
  const decoder = new FakeDecoder(signal);
  const decisions: string[] = [];
  let atMs = 0;
  decoder.onDecode = (start) => decisions.push(`${atMs} play ${start / UNIT_SAMPLES}`);
  const playout = new VoicePlayout(decoder);
  const out = new Float32Array(48);
  const counts = [
    "concealedSamples",
    "removedSamples",
    "addedSamples",
    "skipped",
    "gaps",
    "late",
    "duplicate",
  ] as const;
  let before = { ...playout.statistics };
  for (atMs = 0; atMs < 300; atMs += 1) {
    for (const [number, timeMs, isSpeech, arrivedMs] of arrivals) {
      const payload = packIndex(out, number * UNIT_SAMPLES);
      if (arrivedMs === atMs) playout.insert({ number, timeMs, level: isSpeech << 7, payload }, atMs);
    }
    playout.render(out, atMs);
    const now = { ...playout.statistics };
    for (const key of counts) if (now[key] !== before[key]) decisions.push(`${atMs} ${key} ${now[key] - before[key]}`);
    before = now;
  }
  return decisions;
}

it.each(VECTORS)("$name", ({ arrivals, decisions }) => {
  expect(decide(arrivals)).toEqual(decisions);
});
