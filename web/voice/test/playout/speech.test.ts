import { describe, expect, it } from "vitest";
import { CONCEAL_FULL_SAMPLES, CONCEAL_SAMPLES_MAX, UNIT_SAMPLES, VOICE_RATE_HZ } from "../../src/limits.ts";
import { FakeDecoder } from "../support/fake-decoder.ts";
import { type ArrivedUnit, type Network, transmit } from "../support/network.ts";
import { play } from "../support/player.ts";
import { send, speech } from "../support/speech.ts";

/** Words of one second, each after a silence. */
function sparseSpeech(silenceS: number, words: number): Float32Array {
  const period = Math.round((silenceS + 1) * VOICE_RATE_HZ);
  const signal = new Float32Array(period * words);
  for (let word = 0; word < words; word += 1) {
    signal.set(speech(1, 20 + word, [0, 0]), Math.round(word * period + silenceS * VOICE_RATE_HZ));
  }
  return signal;
}

function largestStep(samples: Float32Array): number {
  let step = 0;
  for (let at = 1; at < samples.length; at += 1) {
    step = Math.max(step, Math.abs((samples[at] ?? 0) - (samples[at - 1] ?? 0)));
  }
  return step;
}

/** Where `part` is in `samples`, sample by sample. */
function find(part: Float32Array, samples: Float32Array): number {
  for (let at = 0; at + part.length <= samples.length; at += 1) {
    let same = 0;
    while (same < part.length && Math.abs((samples[at + same] ?? 0) - (part[same] ?? 0)) < 1e-4) same += 1;
    if (same === part.length) return at;
  }
  return -1;
}

function arrivalsOf(signal: Float32Array, network: Network = {}): ArrivedUnit[] {
  return transmit(send(signal), network);
}

/** Each payload carries the unit before it too. */
class FecDecoder extends FakeDecoder {
  decodeFec(next: Uint8Array, into: Float32Array): number {
    const before = new Uint8Array(4);
    new DataView(before.buffer).setUint32(0, new DataView(next.buffer).getUint32(0) - UNIT_SAMPLES);
    return this.decode(before, into);
  }
}

const LOSSY: Network = { jitterMs: 40, isQueue: true, loss: 0.05, burst: 3, heldBack: 0.02 };

describe("pauses", () => {
  it("plays the first 60 ms of a word after 20 s of silence", () => {
    const signal = sparseSpeech(20, 3);
    for (const network of [{}, { jitterMs: 20, isQueue: true }]) {
      const { output } = play(arrivalsOf(signal, network), new FakeDecoder(signal), { durationMs: 64_000 });
      for (let word = 0; word < 3; word += 1) {
        // A word of this signal begins 50 ms after the silence.
        const start = Math.round((20.05 + 21 * word) * VOICE_RATE_HZ);
        expect(find(signal.slice(start, start + 2_880), output.slice(start, start + 24_000))).toBeGreaterThan(0);
      }
    }
  });

  it("conceals nothing when the sender stops after a word", () => {
    const signal = sparseSpeech(2, 4);
    const { output, statistics } = play(arrivalsOf(signal), new FakeDecoder(signal), { durationMs: 12_500 });
    expect(statistics).toMatchObject({ concealedSamples: 0, gaps: 0, late: 0 });
    const silent = output.subarray(4 * VOICE_RATE_HZ, 5 * VOICE_RATE_HZ);
    expect(Math.max(...silent)).toBe(0);
  });

  it("starts each word with the target, without stretching", () => {
    const signal = sparseSpeech(2, 10);
    // The first unit of the sixth word is late. The word starts later, and the next one doesn't.
    const first = send(signal).find(({ sentMs }) => sentMs > 17_000)?.sentMs;
    const arrivals = arrivalsOf(signal).map((unit) =>
      unit.sentMs === first ? { ...unit, arrivedMs: unit.arrivedMs + 25 } : unit,
    );
    const decoder = new FakeDecoder(signal);
    const starts: number[] = [];
    let [atMs, before] = [0, { addedSamples: 0, removedSamples: 0 }];
    decoder.onDecode = (start) => starts.push(atMs - (start * 1_000) / VOICE_RATE_HZ - 50);
    const { statistics } = play(
      arrivals.sort((a, b) => a.arrivedMs - b.arrivedMs),
      decoder,
      {
        durationMs: 30_500,
        onQuantum: (nowMs, playout) => {
          atMs = nowMs;
          if (nowMs > 18_999 && nowMs < 19_003) before = { ...playout.statistics };
        },
      },
    );
    expect(statistics).toMatchObject({ late: 0, concealedSamples: 0 });
    const { addedSamples, removedSamples } = before;
    expect(removedSamples).toBeGreaterThan(0);
    expect(statistics).toMatchObject({ addedSamples, removedSamples });
    expect(Math.max(...starts.slice(-50))).toBeLessThan(15);
  });
});

describe("losses", () => {
  const signal = speech(30, 5);

  it("has no step larger than twice the signal's largest", () => {
    for (const seed of [1, 2, 3]) {
      for (const network of [LOSSY, { ...LOSSY, isQueue: false }, { freezeMs: [9_000, 9_500] } as const]) {
        const arrivals = arrivalsOf(signal, { ...network, seed });
        const { output } = play(arrivals, new FakeDecoder(signal), { durationMs: 30_500, burst: 4 });
        expect(largestStep(output) / largestStep(signal)).toBeLessThan(2);
      }
    }
  });

  it("conceals a lost unit by as many samples, and keeps the delay", () => {
    const lost = arrivalsOf(signal).filter((_, at) => at % 50 !== 40);
    const decoder = new FakeDecoder(signal);
    const { statistics } = play(lost, decoder, { durationMs: 30_500 });
    const count = arrivalsOf(signal).length - lost.length;
    expect(statistics.concealedSamples).toBeGreaterThan(0);
    expect(statistics.concealedSamples).toBeLessThanOrEqual(count * UNIT_SAMPLES);
    expect(statistics).toMatchObject({ gaps: 0, late: 0, addedSamples: 0, played: lost.length });
  });

  it("conceals a loss between units without speech, and ends with the last one", () => {
    const hum = speech(3, 9, [0, 0]);
    const arrivals = arrivalsOf(hum)
      .filter((_, at) => at % 10 !== 5)
      .map((arrived) => ({ ...arrived, unit: { ...arrived.unit, level: 60 } }));
    const { statistics } = play(arrivals, new FakeDecoder(hum), { durationMs: 3_500 });
    expect(statistics.concealedSamples).toBeGreaterThan(10 * 480);
    expect(statistics).toMatchObject({ gaps: 0, played: arrivals.length });
  });

  it("fades to silence between 100 and 160 ms after the last unit", () => {
    const voice = speech(2, 9, [0, 0]);
    const arrivals = arrivalsOf(voice).filter(({ sentMs }) => sentMs < 700);
    const decoder = new FakeDecoder(voice);
    const { output, statistics } = play(arrivals, decoder, { durationMs: 1_500 });
    const last = decoder.starts.at(-1) ?? 0;
    const end = find(voice.slice(last, last + 480), output) + UNIT_SAMPLES;
    const loudness = (from: number, to: number) => Math.max(...output.subarray(end + from, end + to));
    expect(loudness(2_400, CONCEAL_FULL_SAMPLES)).toBeGreaterThan(0.9 * loudness(0, 2_400));
    expect(loudness(CONCEAL_SAMPLES_MAX - 960, CONCEAL_SAMPLES_MAX)).toBeLessThan(0.4 * loudness(0, 2_400));
    expect(loudness(CONCEAL_SAMPLES_MAX, 14_400)).toBe(0);
    expect(statistics.gaps).toBe(1);
  });

  it("recovers a lost unit from the FEC of the next one", () => {
    const lost = arrivalsOf(signal, { jitterMs: 40, isQueue: true }).filter((_, at) => at < 100 || at % 20 !== 5);
    const decoder = new FecDecoder(signal);
    const { statistics } = play(lost, decoder, { durationMs: 30_500 });
    expect(statistics.recovered).toBeGreaterThan(0.7 * (arrivalsOf(signal).length - lost.length - 5));
    const second = decoder.starts.filter((start, at) => at > 100 && start <= (decoder.starts[at - 1] ?? 0));
    expect(second).toEqual([]);
  });

  it("recovers the last lost unit of a burst, and conceals those before", () => {
    const voice = speech(3, 9, [0, 0]);
    const arrivals = arrivalsOf(voice).filter((_, at) => at % 40 < 20 || at % 40 > 22);
    const bursts = arrivalsOf(voice).filter((_, at) => at % 40 === 22).length;
    const { statistics } = play(arrivals, new FecDecoder(voice), { durationMs: 3_500 });
    expect(statistics).toMatchObject({ recovered: bursts, gaps: 0 });
    expect(statistics.concealedSamples).toBeGreaterThanOrEqual(bursts * 2 * UNIT_SAMPLES);
    expect(statistics.concealedSamples).toBeLessThan(bursts * 3 * UNIT_SAMPLES);
  });

  it("recovers the lost first unit of a word", () => {
    const words = sparseSpeech(2, 4);
    const sent = send(words);
    const firsts = sent.filter(({ start }, at) => start - (sent[at - 1]?.start ?? start) > UNIT_SAMPLES);
    const arrivals = arrivalsOf(words).filter(({ start }) => firsts.every((first) => first.start !== start));
    const { statistics } = play(arrivals, new FecDecoder(words), { durationMs: 12_500 });
    expect(firsts.length).toBeGreaterThanOrEqual(3);
    expect(statistics).toMatchObject({ recovered: firsts.length, concealedSamples: 0 });
  });

  it("has energy gaps of more than 40 ms in at most 1 % of the words' time", () => {
    for (const seed of [1, 2, 3, 4]) {
      const { output } = play(arrivalsOf(signal, { ...LOSSY, seed }), new FakeDecoder(signal), { durationMs: 31_000 });
      const gapMs =
        silentMs(output.subarray(0, 29.7 * VOICE_RATE_HZ)) - silentMs(signal.subarray(0, 29.6 * VOICE_RATE_HZ));
      expect(gapMs / 30_000).toBeLessThan(0.01);
    }
  });

  it("plays a unit that is 8 ms late, without its beginning or with more delay", () => {
    const arrivals = arrivalsOf(signal).map((unit, at) =>
      at % 100 === 60 ? { ...unit, arrivedMs: unit.arrivedMs + 18 } : unit,
    );
    const { statistics } = play(arrivals, new FakeDecoder(signal), { durationMs: 30_500 });
    expect(statistics.played).toBe(arrivals.length);
    expect(statistics.concealedSamples).toBeLessThanOrEqual(arrivals.length * 9.6);
  });

  it("continues although units arrive after their turn", () => {
    const arrivals = arrivalsOf(signal, { heldBack: 0.1, heldBackMs: [300, 500] });
    const { statistics } = play(arrivals, new FakeDecoder(signal), { durationMs: 31_000 });
    expect(statistics.played + statistics.late).toBe(arrivals.length);
    expect(statistics.targetMs).toBeLessThanOrEqual(400);
  });
});

/** Time of spans of 40 ms and more below −46 dB of the loudest part. */
function silentMs(samples: Float32Array): number {
  const window = 240;
  let [silent, run] = [0, 0];
  for (let at = 0; at + window <= samples.length; at += window) {
    const power = samples.subarray(at, at + window).reduce((sum, sample) => sum + sample * sample, 0) / window;
    run = power < 1e-6 ? run + 5 : 0;
    if (run === 40) silent += 40;
    else if (run > 40) silent += 5;
  }
  return silent;
}
