/** Makes units of captured sound. Pure: time is an argument. */
import type { CapturedUnit, UplinkState } from "@stoa/client";
import { hasSpeech, type OpusEncoder } from "../codec/opus.ts";
import {
  ENCODER_COMPLEXITY,
  LOSS_PERCENT,
  SPEECH_LEVEL,
  UNIT_SAMPLES,
  VOICE_BITS_PER_S,
  VOICE_RATE_HZ,
} from "../limits.ts";
import { Resampler } from "../playout/resampler.ts";

/** Bits a second of a unit's head and the frame around it, 50 times a second. */
const OVERHEAD_BITS_PER_S = 50 * 8 * 80;

/** Samples that are converted at once. */
const PIECE_SAMPLES_MAX = 1_024;

/** Collects samples into packets. */
export class UnitCapture {
  /** Samples a second of what it takes. */
  readonly rateHz: number;
  readonly #encoder: OpusEncoder;
  readonly #resampler: Resampler | undefined;
  readonly #converted: Float32Array;
  #filled = 0;
  #number: number;
  #capturedMs = 0;
  /** Loudness and speech of the newest unit, sent or not, as in RFC 6464. */
  level = 127;

  /** `number` is that of the last unit before. */
  constructor(encoder: OpusEncoder, rateHz: number, number = 0) {
    this.#encoder = encoder;
    [this.rateHz, this.#number] = [rateHz, number];
    this.#resampler = rateHz === VOICE_RATE_HZ ? undefined : new Resampler(rateHz, VOICE_RATE_HZ);
    this.#converted = new Float32Array(Math.ceil((PIECE_SAMPLES_MAX * VOICE_RATE_HZ) / rateHz) + 2);
    this.adapt({ bytesPerS: Number.POSITIVE_INFINITY, lostPerMille: 0 });
  }

  /** The last unit's number. */
  get number(): number {
    return this.#number;
  }

  /** Takes samples, of which the first was captured at `nowMs`. Calls `send` with each unit that they complete. */
  push(samples: Float32Array, nowMs: number, send: (unit: CapturedUnit) => void): void {
    if (samples.length <= PIECE_SAMPLES_MAX) {
      this.#pushPiece(samples, nowMs, send);
      return;
    }
    for (let at = 0; at < samples.length; at += PIECE_SAMPLES_MAX)
      this.#pushPiece(samples.subarray(at, at + PIECE_SAMPLES_MAX), nowMs + (1_000 * at) / this.rateHz, send);
  }

  /** Drops samples that make no complete unit, when capture stops. */
  clear(): void {
    [this.#filled, this.level] = [0, 127];
  }

  /** Follows the rate and the loss of the way up. */
  adapt({ bytesPerS, lostPerMille }: UplinkState): void {
    const { least, most } = VOICE_BITS_PER_S;
    const bitsPerS = Math.min(Math.max(8 * bytesPerS - OVERHEAD_BITS_PER_S, least), most);
    const { least: leastLost, most: mostLost } = LOSS_PERCENT;
    const lossPercent = Math.min(Math.max(Math.round(lostPerMille / 10), leastLost), mostLost);
    this.#encoder.adapt({ bitsPerS: Math.round(bitsPerS), complexity: ENCODER_COMPLEXITY, lossPercent });
  }

  #pushPiece(samples: Float32Array, nowMs: number, send: (unit: CapturedUnit) => void): void {
    let [from, count] = [samples, samples.length];
    if (this.#resampler !== undefined) {
      count = this.#resampler.process(samples, samples.length, this.#converted);
      from = this.#converted;
    }
    for (let at = 0; at < count; at += 1) {
      if (this.#filled === 0) this.#capturedMs = nowMs + (1_000 * at) / VOICE_RATE_HZ;
      this.#encoder.input[this.#filled] = from[at] ?? 0;
      this.#filled += 1;
      if (this.#filled === UNIT_SAMPLES) this.#complete(send);
    }
  }

  #complete(send: (unit: CapturedUnit) => void): void {
    this.#filled = 0;
    const loudness = loudnessOf(this.#encoder.input);
    const packet = this.#encoder.encode();
    const isSpeech = packet !== undefined && (hasSpeech(packet) ?? loudness <= SPEECH_LEVEL);
    this.level = loudness | (isSpeech ? 0x80 : 0);
    if (packet === undefined) return;
    this.#number = (this.#number + 1) >>> 0;
    const payload = packet.slice() as Uint8Array<ArrayBuffer>;
    send({ number: this.#number, capturedMs: this.#capturedMs, level: this.level, payload });
  }
}

/** The loudness of samples in −dBov, from 0 to 127. Source: RFC 6464 section 3. */
function loudnessOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const decibels = -10 * Math.log10(sum / samples.length);
  return Number.isFinite(decibels) ? Math.min(Math.max(Math.round(decibels), 0), 127) : 127;
}
