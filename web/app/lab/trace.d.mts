/** An event of Chromium's trace; times in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of this thread. */
  readonly tdur?: number;
}

export const CATEGORIES: readonly string[];

export function scriptOfFrames(
  events: readonly TraceEvent[],
  mark: string,
): { readonly frames: readonly number[]; readonly kinds: Readonly<Record<string, number>> };
