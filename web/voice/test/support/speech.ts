import { UNIT_MS, UNIT_SAMPLES, VOICE_RATE_HZ } from "../../src/limits.ts";
import type { VoiceUnit } from "../../src/playout/unit.ts";
import { seeded } from "./random.ts";

/** Units without speech that a sender sends before a silence. */
const HANGOVER_UNITS = 5;

/** Silence at the end of a signal, so that its sender tells the end of speech. */
const TAIL_SAMPLES = 9_600;

/** Signals that several tests use: making one takes longer than playing it. */
const SIGNALS = new Map<string, Float32Array>();

/** Words with pauses between: harmonics of a pitch that glides, with the envelope of syllables. */
export function speech(seconds: number, seed: number, pausesMs: readonly [number, number] = [40, 300]): Float32Array {
  const key = [seconds, seed, ...pausesMs].join();
  const signal = SIGNALS.get(key) ?? makeSpeech(seconds, seed, pausesMs);
  SIGNALS.set(key, signal);
  return signal;
}

function makeSpeech(seconds: number, seed: number, pausesMs: readonly [number, number]): Float32Array {
  const random = seeded(seed);
  const samples = new Float32Array(seconds * VOICE_RATE_HZ);
  let at = Math.round(0.05 * VOICE_RATE_HZ);
  while (at < samples.length) {
    const length = Math.round((0.2 + 0.4 * random()) * VOICE_RATE_HZ);
    if (at + length > samples.length - TAIL_SAMPLES) break;
    word(samples.subarray(at, at + length), random);
    at += length + Math.round(((pausesMs[0] + (pausesMs[1] - pausesMs[0]) * random()) * VOICE_RATE_HZ) / 1_000);
  }
  return samples;
}

function word(into: Float32Array, random: () => number): void {
  const [from, to] = [90 + 110 * random(), 90 + 110 * random()];
  const formants = [300 + 500 * random(), 900 + 1_400 * random()];
  const count = 16;
  const gains = new Float32Array(count);
  let phase = 0;
  for (let at = 0; at < into.length; at += 1) {
    const part = at / into.length;
    const pitch = from + (to - from) * part;
    if (at % 96 === 0) {
      for (let n = 0; n < count; n += 1) gains[n] = formantGain((n + 1) * pitch, formants) / (1 + n / 4);
    }
    phase += (2 * Math.PI * pitch) / VOICE_RATE_HZ;
    // Sines of the multiples of the phase by Chebyshev's recurrence.
    const twice = 2 * Math.cos(phase);
    let [sum, before, sine] = [0, 0, Math.sin(phase)];
    for (let n = 0; n < count; n += 1) {
      sum += (gains[n] ?? 0) * sine;
      const next = twice * sine - before;
      before = sine;
      sine = next;
    }
    const envelope = Math.min(1, at / 480, (into.length - at) / 960);
    into[at] = 0.08 * envelope * (0.75 + 0.25 * Math.cos(2 * Math.PI * 4 * part)) * sum;
  }
}

function formantGain(hz: number, formants: readonly number[]): number {
  let gain = 0.1;
  for (const formant of formants) gain += 1 / (1 + ((hz - formant) / 120) ** 2);
  return gain;
}

/** A unit and the moment at which its sender has captured all of it. */
export interface SentUnit {
  readonly unit: VoiceUnit;
  readonly sentMs: number;
  /** First sample of the unit in the signal. */
  readonly start: number;
}

export interface SenderOptions {
  readonly firstNumber?: number;
  readonly firstTimeMs?: number;
  /** The sender's clock runs faster by this share. */
  readonly drift?: number;
  readonly encode?: (samples: Float32Array, start: number) => Uint8Array;
}

/** The units of a signal. Silence of more than 100 ms is not sent. */
export function send(signal: Float32Array, options: SenderOptions = {}): SentUnit[] {
  const { firstNumber = 0, firstTimeMs = 0, drift = 0, encode = packIndex } = options;
  const units: SentUnit[] = [];
  let hangover = 0;
  let number = firstNumber;
  for (let start = 0; start + UNIT_SAMPLES <= signal.length; start += UNIT_SAMPLES) {
    const samples = signal.subarray(start, start + UNIT_SAMPLES);
    const payload = encode(samples, start);
    const isSpeech = samples.some((sample) => Math.abs(sample) > 0.002);
    hangover = isSpeech ? HANGOVER_UNITS : hangover - 1;
    if (hangover < 0) continue;
    const mediaMs = (start / UNIT_SAMPLES) * UNIT_MS;
    const unit = {
      number: number >>> 0,
      timeMs: Math.round(firstTimeMs + mediaMs) >>> 0,
      level: isSpeech ? 0x80 | 26 : 90,
      payload,
    };
    units.push({ unit, sentMs: (mediaMs + UNIT_MS) / (1 + drift), start });
    number += 1;
  }
  return units;
}

/** A payload that names the first sample of its unit. */
export function packIndex(_samples: Float32Array, start: number): Uint8Array {
  const payload = new Uint8Array(4);
  new DataView(payload.buffer).setUint32(0, start);
  return payload;
}
