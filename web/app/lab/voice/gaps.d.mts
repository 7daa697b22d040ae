import type { Recording } from "../sound.mjs";

/** Gaps in a heard voice. */
export interface VoiceGaps {
  readonly voicedMs: number;
  readonly gapMs: number;
  /** The length of each gap in milliseconds. */
  readonly gaps: readonly number[];
}

export function gapsIn(said: Recording, heard: Recording, delayMs: number): VoiceGaps;
