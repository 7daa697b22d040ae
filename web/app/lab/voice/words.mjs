/** Words with long silences between them, and how much of their beginning was heard. Pure. */
import { atRate, powerOf } from "../sound.mjs";
import { bestMatch } from "./matching.mjs";

/** A phrase ends where the file is silent for this long. */
const PAUSE_MS = 100;
/** Power below which a file is silent: −60 dB. */
const SILENCE = 1e-6;
/** Length of a word: longer than its beginning, so that it can be found. */
const WORD_MS = 500;
/** The beginning of a word that must be heard. */
const BEGINNING_MS = 60;
/** A word is searched for this long before and after it was said. */
const EARLY_MS = 100;
const LATE_MS = 800;
/** The beginning is searched so far from where the rest of the word puts it: playout may stretch the word. */
const SHIFT_MS = 20;
/** Power of a sample at which a word begins: −50 dB. A word is said at most so long before or after that. */
const AUDIBLE = 1e-5;
const ONSET_MS = 100;
/** The band in which sounds are compared. */
const BAND_HZ = [300, 3_400];
/** Whole words are compared by each so many samples. */
const COARSE = 4;

/** The first half second of each phrase of a recording. */
export function wordsOf({ rateHz, samples }) {
  const [step, length] = [Math.round(rateHz / 1_000), Math.round((rateHz * WORD_MS) / 1_000)];
  const isSilent = (at) => powerOf(samples.subarray(at, at + step)) < SILENCE;
  const words = [];
  let silentMs = PAUSE_MS;
  for (let at = 0; at + step <= samples.length; at += step) {
    if (isSilent(at)) silentMs += 1;
    else {
      if (silentMs >= PAUSE_MS) words.push({ rateHz, startMs: 0, samples: samples.slice(at, at + length) });
      silentMs = 0;
    }
  }
  return words;
}

/** A recording of words, each after a silence. */
export function spacedWords(words, silenceMs) {
  const [{ rateHz }] = words;
  const silence = new Float32Array(Math.round((rateHz * silenceMs) / 1_000));
  const parts = words.flatMap(({ samples }) => [silence, samples]);
  const samples = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return { rateHz, startMs: 0, samples };
}

/** When a recording of the microphone, silent before, has a sound for the first time; `undefined` if it is silent. */
export function onsetMs({ rateHz, startMs, samples }) {
  const first = samples.findIndex((sample) => sample * sample > AUDIBLE);
  return first < 0 ? undefined : startMs + (1_000 * first) / rateHz;
}

/** The word that was said about `onsetMs`: its number, when it was said, and the correlation. */
export function saidWord(words, microphone, onsetMs) {
  const found = words.map((word, number) => {
    const { samples } = atRate(word, microphone.rateHz);
    return { number, ...bestMatch(samples, microphone, [onsetMs - ONSET_MS, onsetMs + ONSET_MS], COARSE) };
  });
  return found.reduce((best, one) => (one.correlation > best.correlation ? one : best));
}

/**
 * The correlation of a word's first 60 ms with what was heard at their time, which that of the whole word tells. The
 * word was said at `saidMs`.
 */
export function beginningHeard(word, saidMs, heard) {
  const { samples } = atRate(word, heard.rateHz);
  const whole = bestMatch(samples, heard, [saidMs - EARLY_MS, saidMs + LATE_MS], COARSE);
  const beginning = samples.subarray(0, Math.round((heard.rateHz * BEGINNING_MS) / 1_000));
  const { correlation } = bestMatch(beginning, heard, [whole.atMs - SHIFT_MS, whole.atMs + SHIFT_MS]);
  return { correlation, whole: whole.correlation, delayMs: whole.atMs - saidMs };
}

/** The word that begins at a time of a recording. */
export function wordAt({ rateHz, startMs, samples }, atMs) {
  const at = Math.round(((atMs - startMs) * rateHz) / 1_000);
  return { rateHz, startMs: 0, samples: samples.slice(at, at + Math.round((rateHz * WORD_MS) / 1_000)) };
}

/**
 * A recording without what lies outside of a telephone's band. A browser cancels the lowest tones of a microphone, and
 * shifts the phases of those above.
 */
export function voiceBand({ rateHz, startMs, samples }) {
  const [low, high] = BAND_HZ;
  const filters = [biquad(rateHz, low, "high"), biquad(rateHz, high, "low")];
  return { rateHz, startMs, samples: filters.reduce(filtered, samples) };
}

/** Coefficients of a Butterworth filter of second order. Source: Robert Bristow-Johnson's cookbook. */
function biquad(rateHz, cornerHz, kind) {
  const angle = (2 * Math.PI * cornerHz) / rateHz;
  const [cosine, alpha] = [Math.cos(angle), Math.sin(angle) / Math.SQRT2];
  const sum = kind === "high" ? 1 + cosine : 1 - cosine;
  const scale = 1 / (1 + alpha);
  const middle = kind === "high" ? -sum : sum;
  return {
    inputs: [sum / 2, middle, sum / 2].map((one) => one * scale),
    outputs: [-2 * cosine * scale, (1 - alpha) * scale],
  };
}

function filtered(samples, { inputs: [b0, b1, b2], outputs: [a1, a2] }) {
  const result = new Float32Array(samples.length);
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  for (let at = 0; at < samples.length; at += 1) {
    const x = samples[at];
    const y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    result[at] = y;
  }
  return result;
}
