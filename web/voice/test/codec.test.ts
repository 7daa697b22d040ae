import { beforeAll, describe, expect, it } from "vitest";
import { hasSpeech, Opus } from "../src/codec/opus.ts";
import { UNIT_SAMPLES, VOICE_RATE_HZ } from "../src/limits.ts";

let opus: Opus;

beforeAll(async () => {
  opus = await Opus.load();
});

/** Harmonics of 140 Hz in four syllables a second, since a steady sound counts as noise. */
function vowel(at: number): number {
  const seconds = at / VOICE_RATE_HZ;
  const loudness = 0.6 + 0.4 * Math.sin(2 * Math.PI * 4 * seconds);
  let sum = 0;
  for (let harmonic = 1; harmonic < 12; harmonic += 1)
    sum += Math.sin(2 * Math.PI * 140 * harmonic * seconds) / harmonic;
  return 0.2 * loudness * sum;
}

function power(samples: Float32Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
}

function packetsOf(units: number, sound: (at: number) => number = vowel): (Uint8Array | undefined)[] {
  const encoder = opus.encoder();
  encoder.adapt({ bitsPerS: 32_000, complexity: 5, lossPercent: 10 });
  const packets = Array.from({ length: units }, (_, unit) => {
    for (let at = 0; at < UNIT_SAMPLES; at += 1) encoder.input[at] = sound(unit * UNIT_SAMPLES + at);
    return encoder.encode()?.slice();
  });
  encoder.free();
  return packets;
}

describe("Opus", () => {
  it("decodes what it encoded, in packets that fit sixteen to two datagrams", () => {
    const packets = packetsOf(50);
    const decoder = opus.decoder();
    const output = new Float32Array(UNIT_SAMPLES);
    const powers = packets.map((packet) => {
      expect(packet === undefined ? 0 : decoder.decode(packet, output)).toBe(UNIT_SAMPLES);
      return power(output);
    });
    const mean = powers.slice(25).reduce((sum, one) => sum + one, 0) / 25;
    const input = power(Float32Array.from({ length: 25 * UNIT_SAMPLES }, (_, at) => vowel(25 * UNIT_SAMPLES + at)));
    expect(mean / input).toBeGreaterThan(0.8);
    expect(mean / input).toBeLessThan(1.2);
    expect(Math.max(...packets.map((packet) => packet?.length ?? 0))).toBeLessThan(150);
    decoder.free();
  });

  it("conceals a lost packet, and forgets a voice", () => {
    const packets = packetsOf(20);
    const [decoder, output] = [opus.decoder(), new Float32Array(UNIT_SAMPLES)];
    for (const packet of packets.slice(0, 10)) decoder.decode(packet ?? new Uint8Array(), output);
    const before = power(output);
    expect(decoder.conceal(output, UNIT_SAMPLES / 2)).toBe(UNIT_SAMPLES / 2);
    expect(power(output.subarray(0, UNIT_SAMPLES / 2))).toBeGreaterThan(0.3 * before);
    decoder.reset();
    expect(decoder.conceal(output, UNIT_SAMPLES)).toBe(UNIT_SAMPLES);
    expect(power(output)).toBe(0);
    decoder.free();
  });

  it("recovers a lost packet from the one after it", () => {
    const packets = packetsOf(20);
    const [decoder, lost, output] = [opus.decoder(), new Float32Array(UNIT_SAMPLES), new Float32Array(UNIT_SAMPLES)];
    for (const packet of packets.slice(0, 12)) decoder.decode(packet ?? new Uint8Array(), lost);
    decoder.reset();
    for (const packet of packets.slice(0, 11)) decoder.decode(packet ?? new Uint8Array(), output);
    expect(decoder.decodeFec(packets[12] ?? new Uint8Array(), output)).toBe(UNIT_SAMPLES);
    const product = output.reduce((sum, sample, at) => sum + sample * (lost[at] ?? 0), 0) / UNIT_SAMPLES;
    expect(product / Math.sqrt(power(output) * power(lost))).toBeGreaterThan(0.8);
    decoder.free();
  });

  it("rejects garbage", () => {
    const [decoder, output] = [opus.decoder(), new Float32Array(UNIT_SAMPLES)];
    expect(decoder.decode(new Uint8Array(), output)).toBe(0);
    expect(decoder.decode(new Uint8Array(901), output)).toBe(0);
    expect(decoder.decode(Uint8Array.of(0xff, 0xff, 0xff), output)).toBe(0);
    // A packet of 120 ms fills what the caller has room for.
    expect(decoder.decode(Uint8Array.of(0x1b, 0x02, 0, 0), output)).toBeLessThanOrEqual(UNIT_SAMPLES);
    decoder.free();
  });

  it("ends packets in silence, and marks those with speech", () => {
    const packets = packetsOf(150, (at) => (at < 50 * UNIT_SAMPLES ? vowel(at) : 0));
    const speech = packets.map((packet) => packet !== undefined && hasSpeech(packet));
    expect(speech.slice(0, 50).filter((is) => is === true).length).toBeGreaterThan(30);
    const ended = packets.indexOf(undefined);
    expect([ended > 50, ended < 75, packets.slice(ended).every((packet) => packet === undefined)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(speech.slice(55, ended)).not.toContain(true);
  });

  it("encodes and decodes without allocating", () => {
    const [encoder, decoder, output] = [opus.encoder(), opus.decoder(), new Float32Array(UNIT_SAMPLES)];
    const { input } = encoder;
    encoder.encode();
    expect(encoder.input).toBe(input);
    decoder.decode(packetsOf(1)[0] ?? new Uint8Array(), output);
    encoder.free();
    decoder.free();
  });
});
