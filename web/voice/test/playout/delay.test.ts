import { expect, it, vi } from "vitest";
import { UNIT_MS, VOICE_RATE_HZ } from "../../src/limits.ts";
import { FakeDecoder } from "../support/fake-decoder.ts";
import { type Network, transmit } from "../support/network.ts";
import { type PlayerOptions, play } from "../support/player.ts";
import { seeded } from "../support/random.ts";
import { type SenderOptions, send, speech } from "../support/speech.ts";

// A busy machine plays two minutes slowly.
vi.setConfig({ testTimeout: 30_000 });

const NETWORK_MS = 30;
const SIGNAL = speech(60, 5);

interface Sample {
  readonly atMs: number;
  /** From the quickest possible arrival to the decoding. */
  readonly delayMs: number;
  readonly targetMs: number;
}

type Case = Network & SenderOptions & Partial<PlayerOptions> & { readonly signal?: Float32Array };

/** The delay of each unit as the output has it. */
function delays(options: Case) {
  const { signal = SIGNAL, drift = 0 } = options;
  const decoder = new FakeDecoder(signal);
  const samples: Sample[] = [];
  let [atMs, targetMs] = [0, 0];
  decoder.onDecode = (start) => {
    const sentMs = (start * 1_000) / VOICE_RATE_HZ + UNIT_MS;
    samples.push({ atMs, targetMs, delayMs: atMs - sentMs / (1 + drift) - NETWORK_MS });
  };
  const arrivals = transmit(send(signal, options), { delayMs: NETWORK_MS, ...options });
  const played = play(arrivals, decoder, {
    durationMs: (signal.length * 1_000) / VOICE_RATE_HZ / (1 + drift) + 500,
    ...options,
    onQuantum: (nowMs, playout) => {
      atMs = nowMs;
      targetMs = playout.statistics.targetMs;
    },
  });
  const from = (ms: number) => samples.filter((sample) => sample.atMs >= ms);
  return { ...played, samples, from };
}

function quantile(samples: readonly Sample[], part: number): number {
  const sorted = samples.map(({ delayMs }) => delayMs).sort((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
}

it("waits 10 to 15 ms on a path without jitter, two seconds after the first unit", () => {
  const { from, statistics } = delays({});
  expect(quantile(from(2_500), 1)).toBeLessThan(15);
  expect(quantile(from(2_500), 0)).toBeGreaterThan(9.5);
  expect(statistics.concealedSamples).toBe(0);
});

it("takes no jitter of the sender's clock for one of the path", () => {
  const random = seeded(6);
  const signal = speech(60, 8, [0, 0]);
  const arrivals = transmit(send(signal, { firstTimeMs: 1_000 }), {}).map((arrived) => {
    const timeMs = Math.round(arrived.unit.timeMs + 8 * random() - 4);
    return { ...arrived, unit: { ...arrived.unit, timeMs } };
  });
  const { statistics } = play(arrivals, new FakeDecoder(signal), { durationMs: 60_000 });
  expect(statistics.targetMs).toBeLessThan(14);
});

it("waits at most 15 ms with a spread of 5 ms", () => {
  const { from, statistics } = delays({ jitterMs: 5 });
  expect(quantile(from(3_000), 0.95)).toBeLessThan(15);
  expect(statistics.concealedSamples).toBe(0);
});

it.each([3, 4, 8])("conceals nothing when %i quanta are rendered at once", (burst) => {
  const { from, statistics } = delays({ burst });
  expect(statistics.concealedSamples).toBe(0);
  expect(quantile(from(3_000), 0.5)).toBeLessThan(12 + burst * 2.67);
});

it.each([1, 4, 8])("conceals nothing with the clock of a worklet that renders %i quanta at once", (burst) => {
  const { from, statistics } = delays({ burst, isSampleClock: true, jitterMs: 2 });
  expect(statistics.concealedSamples).toBe(0);
  expect(quantile(from(3_000), 0.5)).toBeLessThan(15 + burst * 2.67);
});

it.each([64, 480, 1_024])("conceals nothing with %i samples a call", (quantum) => {
  const { from, statistics } = delays({ quantum });
  expect(statistics.concealedSamples).toBe(0);
  expect(quantile(from(3_000), 0.5)).toBeLessThan(15 + quantum / 48);
});

it.each([500e-6, -500e-6])("keeps the delay within 5 ms of the target under a drift of %d for 120 s", (drift) => {
  const { from, statistics } = delays({ drift, signal: speech(120, 7) });
  const far = from(3_000).filter(({ delayMs, targetMs }) => Math.abs(delayMs - targetMs) > 5);
  expect(far).toEqual([]);
  expect(statistics.concealedSamples).toBe(0);
});

it.each([500e-6, -500e-6])(
  "keeps the delay within 10 ms of the target under a drift of %d without any pause",
  (drift) => {
    const { from } = delays({ drift, signal: speech(60, 8, [0, 0]) });
    const far = from(3_000).filter(({ delayMs, targetMs }) => Math.abs(delayMs - targetMs) > 10);
    expect(far).toEqual([]);
  },
);

it("returns to within 30 ms of the earlier delay within 5 s after a freeze of 2 s", () => {
  const { samples, from } = delays({ freezeMs: [20_000, 22_000] });
  const before = quantile(
    samples.filter(({ atMs }) => atMs > 15_000 && atMs < 20_000),
    0.5,
  );
  expect(Math.max(...from(22_000).map(({ delayMs }) => delayMs))).toBeGreaterThan(before + 100);
  // More than half a second is skipped at once.
  expect(Math.max(...from(22_100).map(({ delayMs }) => delayMs))).toBeLessThan(before + 600);
  expect(Math.max(...from(27_000).map(({ delayMs }) => delayMs))).toBeLessThan(before + 30);
});

it("returns to the earlier delay after the output stood still for 2 s", () => {
  const stalled = 2_000;
  const decoder = new FakeDecoder(SIGNAL);
  // The clock of audio stands still too: all units of that time arrive at once.
  const arrivals = transmit(send(SIGNAL), {}).map((unit) => {
    const late = unit.arrivedMs - 20_000;
    return { ...unit, arrivedMs: late < 0 ? unit.arrivedMs : 20_000 + Math.max(0, late - stalled) };
  });
  const late: number[] = [];
  let atMs = 0;
  decoder.onDecode = (start) => {
    if (atMs > 25_000) late.push(atMs + stalled - (start * 1_000) / VOICE_RATE_HZ - UNIT_MS - NETWORK_MS);
  };
  play(arrivals, decoder, { durationMs: 50_000, onQuantum: (nowMs) => (atMs = nowMs) });
  expect(Math.max(...late)).toBeLessThan(45);
});

it("covers a spread of 40 ms with less than 15 ms more", () => {
  const { from, statistics } = delays({ jitterMs: 40, isQueue: true });
  expect(quantile(from(3_000), 0.95)).toBeLessThan(55);
  expect(statistics.late).toBe(0);
});

it("shrinks within 40 s after jitter ends", () => {
  const noisy = transmit(send(SIGNAL), { jitterMs: 60 }).filter(({ sentMs }) => sentMs < 15_000);
  const calm = transmit(send(SIGNAL), {}).filter(({ sentMs }) => sentMs >= 15_000);
  const decoder = new FakeDecoder(SIGNAL);
  const targets: number[] = [];
  play(
    [...noisy, ...calm].sort((a, b) => a.arrivedMs - b.arrivedMs),
    decoder,
    {
      durationMs: 60_000,
      onQuantum: (nowMs, playout) => {
        if (nowMs % 1_000 === 0) targets.push(playout.statistics.targetMs);
      },
    },
  );
  expect(targets[14]).toBeGreaterThan(50);
  expect(targets[55]).toBeLessThan(20);
});

it("follows a path that becomes 50 ms longer, and one that becomes shorter", () => {
  for (const change of [50, -50]) {
    const first = transmit(send(SIGNAL), { delayMs: 80 }).filter(({ sentMs }) => sentMs < 20_000);
    const second = transmit(send(SIGNAL), { delayMs: 80 + change }).filter(({ sentMs }) => sentMs >= 20_000);
    const decoder = new FakeDecoder(SIGNAL);
    const late: number[] = [];
    let atMs = 0;
    decoder.onDecode = (start) => {
      if (atMs > 40_000) late.push(atMs - (start * 1_000) / VOICE_RATE_HZ - UNIT_MS - 80 - change);
    };
    const arrivals = [...first, ...second].sort((a, b) => a.arrivedMs - b.arrivedMs);
    play(arrivals, decoder, { durationMs: 59_000, onQuantum: (nowMs) => (atMs = nowMs) });
    expect(Math.max(...late), `${change}`).toBeLessThan(20);
  }
});

it("cuts nothing while a path that became 900 ms longer leaves no unit waiting", () => {
  const first = transmit(send(SIGNAL), { jitterMs: 20 }).filter(({ sentMs }) => sentMs < 20_000);
  const second = transmit(send(SIGNAL), { jitterMs: 20, delayMs: 930 }).filter(({ sentMs }) => sentMs >= 20_000);
  const { statistics } = play([...first, ...second], new FakeDecoder(SIGNAL), { durationMs: 61_500 });
  const before = play(first, new FakeDecoder(SIGNAL), { durationMs: 20_000 }).statistics;
  expect(statistics.concealedSamples - before.concealedSamples).toBeLessThan(250 * 48);
  expect(statistics.removedSamples - before.removedSamples).toBeLessThan(110 * 48);
  expect(statistics.targetMs).toBeLessThan(60);
});

it("aims at no more delay after a path became longer soon after the first unit", () => {
  const first = transmit(send(SIGNAL), { jitterMs: 5 }).filter(({ sentMs }) => sentMs < 2_000);
  const second = transmit(send(SIGNAL), { jitterMs: 5, delayMs: 330 }).filter(({ sentMs }) => sentMs >= 2_000);
  const { statistics } = play([...first, ...second], new FakeDecoder(SIGNAL), { durationMs: 6_000 });
  expect(statistics.targetMs).toBeLessThan(60);
});
