import { expect, it } from "vitest";
import type { UnitDecoder } from "../../src/playout/unit.ts";
import { VoicePlayout } from "../../src/playout/voice-playout.ts";

const SOUND = new Float32Array(960).map((_, at) => 0.3 * Math.sin(at / 50));
const DECODER: UnitDecoder = {
  decode: (_payload, into) => {
    into.set(SOUND);
    return SOUND.length;
  },
  conceal: (into, samples) => {
    into.fill(0, 0, samples);
    return samples;
  },
  reset: () => {},
};
const PAYLOAD = new Uint8Array(80);
/** Large, so that a stretch is often needed. */
const DRIFT = 0.002;
const OUT = new Float32Array(128);

/** Bytes that ten seconds of rendering allocate. Every tenth unit is lost, and the clocks differ. */
function allocatedBytes(playout: VoicePlayout, fromUnit: number): number {
  let bytes = 0;
  let atMs = fromUnit * 20 * (1 - DRIFT);
  for (let number = fromUnit; number < fromUnit + 500; number += 1) {
    if (number % 10 !== 0) playout.insert({ number, timeMs: number * 20, level: 0x80, payload: PAYLOAD }, atMs);
    const before = process.memoryUsage().heapUsed;
    for (; atMs < (number + 1) * 20 * (1 - DRIFT); atMs += 128 / 48) playout.render(OUT, atMs);
    bytes += Math.max(0, process.memoryUsage().heapUsed - before);
  }
  return bytes;
}

it("allocates nothing in render", () => {
  const playout = new VoicePlayout(DECODER);
  // The first rounds compile. Reading the heap's size takes 20 bytes a call, boxed numbers the same; an array is 60 more.
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 6; round += 1) least = Math.min(least, allocatedBytes(playout, round * 500));
  expect(playout.statistics.concealedSamples).toBeGreaterThan(0);
  expect(playout.statistics.removedSamples + playout.statistics.addedSamples).toBeGreaterThan(0);
  expect(least / 3_750).toBeLessThan(64);
});
