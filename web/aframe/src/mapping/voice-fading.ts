/** Reads the scene options by which voices fade with distance. Source: ARENA's scene options. */
import { CAPS, NUMBER_MAX } from "../limits.ts";
import { bag, finite, oneOf } from "../values.ts";

const MODELS = ["exponential", "inverse", "linear"] as const;

export interface VoiceFadingOptions {
  readonly distanceModel: (typeof MODELS)[number];
  /** Distance in metres up to which a voice is at full loudness. */
  readonly refDistance: number;
  readonly rolloffFactor: number;
  /** Factor of all voices. */
  readonly volume: number;
}

/** Parses the scene options. An invalid value counts as the schema's default: the browser rejects negative numbers. */
export function voiceFadingOf(value: unknown): VoiceFadingOptions {
  const options = bag(value);
  return {
    distanceModel: oneOf(options?.distanceModel, MODELS) ?? "inverse",
    refDistance: positiveOr(1, options?.refDistance),
    rolloffFactor: positiveOr(1, options?.rolloffFactor),
    volume: positiveOr(1, options?.volume, CAPS.volume),
  };
}

/** A number from 0 on, at most `most`. */
function positiveOr(fallback: number, value: unknown, most = NUMBER_MAX): number {
  const number = finite(value);
  return number === undefined || number < 0 ? fallback : Math.min(number, most);
}
