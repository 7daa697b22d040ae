import { expect, it } from "vitest";
import { REANCHOR_UNITS, UNIT_MS, WAITING_UNITS_MAX } from "../../src/limits.ts";
import type { VoiceUnit } from "../../src/playout/unit.ts";
import { VoicePlayout } from "../../src/playout/voice-playout.ts";
import { FakeDecoder } from "../support/fake-decoder.ts";
import { type ArrivedUnit, transmit } from "../support/network.ts";
import { play } from "../support/player.ts";
import { seeded } from "../support/random.ts";
import { packIndex, type SenderOptions, send, speech } from "../support/speech.ts";

const SIGNAL = speech(10, 5);

function arrivalsOf(options: SenderOptions = {}, network = {}): ArrivedUnit[] {
  return transmit(send(SIGNAL, options), network);
}

function playAll(arrivals: readonly ArrivedUnit[], durationMs = 10_500) {
  const decoder = new FakeDecoder(SIGNAL);
  const moments: string[] = [];
  let atMs = 0;
  decoder.onDecode = (start) => moments.push(`${atMs.toFixed(1)} ${start}`);
  const { output, statistics } = play(arrivals, decoder, { durationMs, onQuantum: (nowMs) => (atMs = nowMs) });
  return { decoder, moments, output, statistics };
}

it("plays the same when number and time wrap", () => {
  const usual = playAll(arrivalsOf({}, { jitterMs: 20, heldBack: 0.05 }));
  for (const options of [
    { firstNumber: 2 ** 32 - 100 },
    { firstTimeMs: 2 ** 32 - 3_000 },
    { firstNumber: 2 ** 32 - 1, firstTimeMs: 2 ** 32 - 1 },
    { firstNumber: 2 ** 31 - 50, firstTimeMs: 2 ** 31 - 2_000 },
  ]) {
    const wrapped = playAll(arrivalsOf(options, { jitterMs: 20, heldBack: 0.05 }));
    expect(wrapped.moments).toEqual(usual.moments);
    expect(wrapped.statistics.late).toBe(usual.statistics.late);
  }
});

it("plays a unit that arrives several times once", () => {
  const once = playAll(arrivalsOf());
  const twice = playAll(arrivalsOf({}, { twice: 1 }));
  expect(twice.decoder.starts).toEqual(once.decoder.starts);
  expect(twice.statistics.duplicate).toBe(arrivalsOf().length);
});

it("counts units that the decoder refuses as lost", () => {
  const random = seeded(3);
  const arrivals = arrivalsOf().map((arrived, at) => {
    if (at % 10 !== 5) return arrived;
    const payload = new Uint8Array(random() * 50).fill(255);
    return { ...arrived, unit: { ...arrived.unit, payload } };
  });
  const { statistics } = playAll(arrivals);
  const refused = arrivals.filter((_, at) => at % 10 === 5).length;
  expect(statistics.invalid).toBe(refused);
  expect(statistics.played).toBe(arrivals.length - refused);
  expect(statistics.delayMs).toBeLessThan(20);
});

it("plays silence when the decoder fails always", () => {
  const broken = {
    decode: () => {
      throw new Error("out of memory");
    },
    conceal: () => {
      throw new Error("out of memory");
    },
    reset: () => {},
  };
  const playout = new VoicePlayout(broken);
  const out = new Float32Array(128).fill(1);
  for (const { unit } of arrivalsOf().slice(0, 60)) playout.insert(unit, 0);
  for (let at = 0; at < 200; at += 1) playout.render(out, at * 2.67);
  expect(Math.max(...out)).toBe(0);
});

it("plays only finite samples of a wild decoder", () => {
  const wild = {
    decode: (_payload: Uint8Array, into: Float32Array) => {
      into.fill(Number.NaN, 0, 400).fill(1e30, 400);
      return 5_000;
    },
    conceal: (into: Float32Array) => {
      into.fill(Number.NEGATIVE_INFINITY);
      return Number.NaN;
    },
    reset: () => {},
  };
  const { output, statistics } = play(arrivalsOf({}, { loss: 0.2 }), wild, { durationMs: 5_000 });
  expect(statistics.played).toBeGreaterThan(100);
  expect(output.every((sample) => sample === 0)).toBe(true);
});

/** Plays hostile units and then honest ones; the share of honest units that is played. */
function honestShare(hostile: (at: number) => Partial<VoiceUnit>, perUnit = 1) {
  const honest = arrivalsOf({ firstNumber: 5_000, firstTimeMs: 70_000 });
  const attack: ArrivedUnit[] = [];
  for (let at = 0; at < 100; at += 1) {
    const sentMs = at * UNIT_MS;
    for (let copy = 0; copy < perUnit; copy += 1) {
      const unit = { number: 0, timeMs: sentMs, level: 0x80, payload: packIndex(SIGNAL, 0) };
      const changed = { ...unit, number: at * perUnit + copy, ...hostile(at * perUnit + copy) };
      attack.push({ unit: changed, sentMs, arrivedMs: sentMs, start: 0 });
    }
  }
  const later = honest.map((arrived) => ({ ...arrived, arrivedMs: arrived.arrivedMs + 2_000 }));
  const decoder = new FakeDecoder(SIGNAL);
  let [longestMs, waitedMs] = [0, 0];
  const { statistics } = play([...attack, ...later], decoder, {
    durationMs: 13_000,
    onQuantum: (_nowMs, playout) => {
      longestMs = Math.max(longestMs, playout.bufferedMs);
      waitedMs = Math.max(waitedMs, playout.statistics.waitedMs);
    },
  });
  const played = new Set(decoder.starts);
  const share = honest.filter(({ start }) => played.has(start)).length / honest.length;
  return { share, longestMs, waitedMs, statistics };
}

const random = seeded(9);
it.each<[string, (at: number) => Partial<VoiceUnit>, number]>([
  ["numbers that jump by 2^31", (at) => ({ number: (at * 2 ** 31 + at) >>> 0 }), 1],
  ["random numbers", () => ({ number: Math.floor(random() * 2 ** 32) }), 1],
  ["random times", () => ({ timeMs: Math.floor(random() * 2 ** 32) }), 1],
  ["times that run backwards", (at) => ({ timeMs: (1e9 - at * 20) >>> 0 }), 1],
  ["times that stand still", () => ({ timeMs: 0 }), 1],
  ["ten times the rate", (at) => ({ timeMs: at * 20 }), 10],
  ["ten times the rate in real time", (at) => ({ timeMs: at * 2 }), 10],
  ["one number always", () => ({ number: 7 }), 10],
  ["numbers backwards", (at) => ({ number: 2 ** 31 - at }), 1],
  ["every second number far ahead", (at) => ({ number: at % 2 === 0 ? at : at + 2_000 }), 1],
  ["a unit just before the honest ones", () => ({ number: 5_000 + WAITING_UNITS_MAX - 1 }), 1],
  ["a step of the clock by a day", (at) => ({ timeMs: at < 50 ? at * 20 : at * 20 + 86_400_000 }), 1],
])("bounds the delay, and plays honest units after %s", (_name, hostile, perUnit) => {
  const { share, longestMs, waitedMs, statistics } = honestShare(hostile, perUnit);
  expect(share).toBeGreaterThan(0.93);
  expect(longestMs).toBeLessThan((WAITING_UNITS_MAX + 3) * UNIT_MS);
  expect(waitedMs).toBeLessThan(1_500);
  expect(statistics.delayMs).toBeLessThan(60);
});

it("follows a new sequence after a few consecutive units, and not after units that a path held back", () => {
  const arrivals = arrivalsOf();
  // Twenty units arrive at once, long after their turn, as from a connection that recovers.
  const held = arrivals.map((arrived, at) =>
    at >= 100 && at < 120 ? { ...arrived, arrivedMs: (arrivals[140]?.arrivedMs ?? 0) + 1 } : arrived,
  );
  const { statistics } = playAll(held.sort((a, b) => a.arrivedMs - b.arrivedMs));
  expect(statistics.played + statistics.late).toBe(arrivals.length);
  expect(statistics.late).toBeGreaterThan(10);

  const second = arrivalsOf({ firstNumber: 2 ** 31 }).filter(({ sentMs }) => sentMs > 5_000);
  const first = arrivals.filter(({ sentMs }) => sentMs <= 5_000);
  const followed = playAll([...first, ...second]).statistics;
  expect(followed.played).toBeGreaterThanOrEqual(arrivals.length - REANCHOR_UNITS);
});

it.each([-60_000, 60_000])("continues when the sender's clock makes a step of %i ms", (stepMs) => {
  const arrivals = arrivalsOf({ firstTimeMs: 100_000 }).map((arrived) => {
    const timeMs = arrived.unit.timeMs + (arrived.sentMs > 5_000 ? stepMs : 0);
    return { ...arrived, unit: { ...arrived.unit, timeMs } };
  });
  const { statistics } = playAll(arrivals);
  expect(statistics.played).toBe(arrivals.length);
  expect(statistics.delayMs).toBeLessThan(20);
});

it("continues after an outage of a minute", () => {
  const arrivals = arrivalsOf();
  const later = arrivalsOf({ firstNumber: 2_900 + arrivals.length, firstTimeMs: 60_000 }).map((arrived) => ({
    ...arrived,
    arrivedMs: arrived.arrivedMs + 60_000,
  }));
  const { statistics } = playAll([...arrivals, ...later], 71_000);
  expect(statistics.played).toBe(arrivals.length + later.length);
  expect(statistics.delayMs).toBeLessThan(20);
});

it("renders silence at once while no voice is there", () => {
  const playout = new VoicePlayout(new FakeDecoder(SIGNAL));
  const out = new Float32Array(128).fill(1);
  expect(playout.render(out, 0)).toBe(false);
  expect(Math.max(...out)).toBe(0);
});
