/** One unit of a voice as it arrives (spec/wire.md, section 8.2). */
export interface VoiceUnit {
  /** One more than the unit before; an unsigned integer of 32 bits that wraps. */
  readonly number: number;
  /** Capture of the first sample in milliseconds by the sender's clock; an unsigned integer of 32 bits that wraps. */
  readonly timeMs: number;
  /** RFC 6464: loudness in −dBov in the lower seven bits, speech in the highest. */
  readonly level: number;
  /** An Opus packet. Playout keeps it until it is played, so its bytes must not change. */
  readonly payload: Uint8Array;
}

/** The bit of a level that tells speech. */
export const SPEECH_BIT = 0x80;

/**
 * Decodes one voice at 48 kHz, one channel. Each method writes samples into `into` and returns their count. A count of
 * 0 or less, or an exception, means that the payload is invalid.
 */
export interface UnitDecoder {
  decode(payload: Uint8Array, into: Float32Array): number;
  /** Continues the sound without a payload. `samples` is a multiple of 120. */
  conceal(into: Float32Array, samples: number): number;
  /** Recovers the unit before `nextPayload` from its in-band FEC; 0 if it has none. */
  decodeFec?(nextPayload: Uint8Array, into: Float32Array): number;
  /** Forgets the sound so far: another sender's units follow. */
  reset(): void;
}
