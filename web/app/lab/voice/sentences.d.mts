import type { Recording } from "../sound.mjs";

/** A sentence, and what was heard of it. */
export interface HeardSentence {
  readonly clean: Float32Array;
  readonly degraded: Float32Array;
}

export function sentenceStarts(sentence: Recording, recording: Recording): number[];
export function heardSentences(sentence: Recording, starts: readonly number[], heard: Recording): HeardSentence[];
