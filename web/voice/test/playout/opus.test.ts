import { createDecoder, createEncoder, type OpusDecoderHandle } from "libopus-wasm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { UNIT_SAMPLES } from "../../src/limits.ts";
import type { UnitDecoder } from "../../src/playout/unit.ts";
import { type Network, transmit } from "../support/network.ts";
import { play } from "../support/player.ts";
import { type SentUnit, send, speech } from "../support/speech.ts";

const SIGNAL = speech(8, 5);

/** libopus as a worklet's decoder would use it. */
class OpusDecoder implements UnitDecoder {
  readonly #decoder: OpusDecoderHandle;

  constructor(decoder: OpusDecoderHandle) {
    this.#decoder = decoder;
  }

  decode(payload: Uint8Array, into: Float32Array): number {
    return copy(this.#decoder.decodeFloat(payload), into);
  }

  conceal(into: Float32Array, samples: number): number {
    return copy(this.#decoder.decodePacketLossFloat(samples), into);
  }

  decodeFec(next: Uint8Array, into: Float32Array): number {
    return copy(this.#decoder.decodeFloat(next, { decodeFec: true, frameSize: UNIT_SAMPLES }), into);
  }

  reset(): void {}
}

function copy(from: Float32Array, into: Float32Array): number {
  into.set(from);
  return from.length;
}

let units: SentUnit[] = [];
let handle: OpusDecoderHandle | undefined;

beforeAll(async () => {
  const encoder = await createEncoder({
    channels: 1,
    application: 2_048,
    bitrate: 24_000,
    fec: true,
    packetLossPercent: 10,
  });
  units = send(SIGNAL, { encode: (samples) => encoder.encodeFloat(samples) });
  encoder.free();
});

afterAll(() => handle?.free());

async function playOpus(network: Network) {
  handle?.free();
  handle = await createDecoder({ channels: 1 });
  return play(transmit(units, network), new OpusDecoder(handle), { durationMs: 8_500, burst: 4 });
}

/** The largest correlation of a quarter second with the signal, over delays up to 200 ms. */
function correlation(output: Float32Array): number {
  let best = 0;
  for (let delay = 1_000; delay < 9_600; delay += 4) {
    let [product, power, same] = [0, 0, 0];
    for (let at = 240_000; at < 252_000; at += 4) {
      const [a, b] = [SIGNAL[at] ?? 0, output[at + delay] ?? 0];
      product += a * b;
      power += a * a;
      same += b * b;
    }
    best = Math.max(best, product / Math.sqrt(power * same));
  }
  return best;
}

it("plays Opus as it was captured on a path without loss", async () => {
  const { output, statistics } = await playOpus({ jitterMs: 10 });
  expect(statistics).toMatchObject({ played: units.length, concealedSamples: 0, invalid: 0 });
  expect(correlation(output)).toBeGreaterThan(0.95);
});

it("conceals losses of Opus units without clicks", async () => {
  const { output, statistics } = await playOpus({ jitterMs: 30, isQueue: true, loss: 0.1, burst: 3, heldBack: 0.02 });
  expect(statistics.concealedSamples).toBeGreaterThan(0);
  expect(statistics.recovered).toBeGreaterThan(0);
  let step = 0;
  for (let at = 1; at < output.length; at += 1)
    step = Math.max(step, Math.abs((output[at] ?? 0) - (output[at - 1] ?? 0)));
  let usual = 0;
  for (let at = 1; at < SIGNAL.length; at += 1)
    usual = Math.max(usual, Math.abs((SIGNAL[at] ?? 0) - (SIGNAL[at - 1] ?? 0)));
  expect(step).toBeLessThan(2 * usual);
});

it("counts garbage as lost", async () => {
  const garbage = units.map((sent, at) =>
    at % 5 === 0 ? { ...sent, unit: { ...sent.unit, payload: new Uint8Array([0xff, 0xff, at & 255]) } } : sent,
  );
  handle?.free();
  handle = await createDecoder({ channels: 1 });
  const { statistics } = play(transmit(garbage, {}), new OpusDecoder(handle), { durationMs: 8_500 });
  expect(statistics.invalid).toBe(Math.ceil(units.length / 5));
  expect(statistics.played).toBe(units.length - statistics.invalid);
});
