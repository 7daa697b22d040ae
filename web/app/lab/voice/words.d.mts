import type { Recording } from "../sound.mjs";

/** A word in the microphone's recording. */
export interface SaidWord {
  readonly number: number;
  readonly atMs: number;
  readonly correlation: number;
}

/** How much of a word was heard: correlations of its beginning and of all of it, and its delay. */
export interface HeardWord {
  readonly correlation: number;
  readonly whole: number;
  readonly delayMs: number;
}

export function wordsOf(recording: Recording): Recording[];
export function spacedWords(words: readonly Recording[], silenceMs: number): Recording;
export function onsetMs(recording: Recording): number | undefined;
export function saidWord(words: readonly Recording[], microphone: Recording, onsetMs: number): SaidWord;
export function beginningHeard(word: Recording, saidMs: number, heard: Recording): HeardWord;
export function wordAt(recording: Recording, atMs: number): Recording;
export function voiceBand(recording: Recording): Recording;
