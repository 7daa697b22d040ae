/**
 * Connects the sound of voices with the motion plane. Units go between an audio worklet and the plane through one
 * message port, past the page, so that a blocked page interrupts no voice. Source: `spec/wire.md` section 8.
 */

/** A unit on its way from the microphone to the plane. */
export interface CapturedUnit {
  /** One more than the unit before. */
  readonly number: number;
  /** When the first sample was captured, in milliseconds of the audio clock, which starts anywhere. */
  readonly capturedMs: number;
  /** As in RFC 6464. */
  readonly level: number;
  readonly payload: Uint8Array<ArrayBuffer>;
}

/** A unit on its way from the plane to the ear. It may be late, repeated, or from another order. */
export interface ReceivedUnit {
  /** Identifies the flow in its scene. */
  readonly voice: number;
  readonly number: number;
  /** By the sender's clock, modulo 2^32. */
  readonly capturedMs: number;
  readonly level: number;
  readonly payload: Uint8Array<ArrayBuffer>;
}

/** How fast the plane takes units: bytes a second, and the share of its frames that was lost. */
export interface UplinkState {
  readonly bytesPerS: number;
  readonly lostPerMille: number;
}

/** A plane's link to the player of voices. */
export interface PlayerLink {
  readonly port: MessagePort;
  /** How many voices it takes at once. */
  readonly voices: number;
}

/** A plane's link to the source of this person's voice. */
export interface SourceLink {
  readonly port: MessagePort;
  readonly epoch: number;
}

/** From the source to the plane. */
export type VoicePortRequest = { readonly unit: CapturedUnit };
/** From the plane to the player or the source. */
export type VoicePortReport = { readonly unit: ReceivedUnit } | { readonly uplink: UplinkState };

/** Number of a flow as {@link ReceivedUnit.voice}: below 2^40. */
export function voiceOf({ epoch, flow }: { readonly epoch: number; readonly flow: number }): number {
  return epoch * 256 + flow;
}
