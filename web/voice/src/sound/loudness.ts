/** Distances and their loudness. Source: Web Audio API 1.1, section 1.27.4, and ARENA's scene options. */
import type { Vector3 } from "@stoa/client";

/** How a scene's voices fade with distance. */
export interface VoiceFading {
  readonly distanceModel: DistanceModelType;
  /** Distance in metres up to which a voice is at full loudness. */
  readonly refDistance: number;
  readonly rolloffFactor: number;
  /** Factor of all voices. */
  readonly volume: number;
}

/** Half the loudness at 2 m and a tenth at 10 m, as sound does in the open. */
export const DEFAULT_FADING: VoiceFading = { distanceModel: "inverse", refDistance: 1, rolloffFactor: 1, volume: 1 };

/** The square of the distance between two positions, in square metres. */
export function squaredDistance(one: Vector3, other: Vector3): number {
  return one.reduce((sum, axis, which) => sum + (axis - (other[which] ?? 0)) ** 2, 0);
}

/**
 * The outputs to place by head-related transfer functions: the nearest `count`. One that has it already stays unless
 * another is clearly nearer, so that voices don't change back and forth.
 */
export function nearestSlots(
  distances: ReadonlyMap<number, number>,
  present: ReadonlySet<number>,
  count: number,
): ReadonlySet<number> {
  const rank = ([slot, squared]: readonly [number, number]) => (present.has(slot) ? STAY * squared : squared);
  const ranked = [...distances].sort((one, other) => rank(one) - rank(other));
  return new Set(ranked.slice(0, count).map(([slot]) => slot));
}

/** A present slot stays unless another is a fifth nearer: the square of 1 / 1.2. */
const STAY = 1 / 1.44;
