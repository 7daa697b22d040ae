/** A recording that begins at `startMs`. */
export interface Recording {
  readonly rateHz: number;
  readonly startMs: number;
  readonly samples: Float32Array;
}

export function delaysBetween(from: Recording, to: Recording): number[];
export function atRate(recording: Recording, toHz: number): Recording;
export function correlationOf(one: Float32Array, other: Float32Array, step?: number): number;
export function powerOf(samples: Float32Array): number;
