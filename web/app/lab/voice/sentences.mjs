/** Finds the repetitions of a sentence in recordings. Pure. */
import { atRate } from "../sound.mjs";
import { bestMatch } from "./matching.mjs";

/** Sentences are aligned at this rate, which has the pitch of voices and their first formant. */
const RATE_HZ = 4_000;
/** Correlation from which a part of the microphone's recording counts as the sentence. */
const SAME = 0.5;
/** How far a repetition may be from the length of the file: a browser may pause between two. */
const GAP_MS = 150;
/** A sentence is searched for this long before and after it was said. */
const EARLY_MS = 100;
const LATE_MS = 800;

/** When a sentence begins in a recording that repeats it, in milliseconds of the recording's clock. */
export function sentenceStarts(sentence, recording) {
  const [slow, within] = [slowed(sentence), slowed(recording)];
  const lengthMs = (1_000 * slow.samples.length) / RATE_HZ;
  const starts = [];
  let fromMs = within.startMs;
  let toMs = within.startMs + lengthMs;
  while (fromMs + lengthMs <= endMsOf(within)) {
    const { atMs, correlation } = bestMatch(slow.samples, within, [fromMs, toMs]);
    if (correlation >= SAME) starts.push(atMs);
    // Without a match, a whole period is searched again.
    const nextMs = correlation >= SAME ? atMs + lengthMs : toMs;
    [fromMs, toMs] = [nextMs - GAP_MS, nextMs + (correlation >= SAME ? GAP_MS : lengthMs)];
  }
  return starts;
}

/**
 * Each sentence that was said, and that part of another recording which is most like it: samples of equal length at
 * the other recording's rate. Sentences that the other recording doesn't cover are omitted.
 */
export function heardSentences(sentence, starts, heard) {
  const [slow, within] = [slowed(sentence), slowed(heard)];
  const clean = atRate(sentence, heard.rateHz).samples;
  const isCovered = (startMs) =>
    startMs - EARLY_MS >= heard.startMs && startMs + LATE_MS + (1_000 * clean.length) / heard.rateHz <= endMsOf(heard);
  return starts.filter(isCovered).map((startMs) => {
    const { atMs } = bestMatch(slow.samples, within, [startMs - EARLY_MS, startMs + LATE_MS]);
    const at = Math.round(((atMs - heard.startMs) * heard.rateHz) / 1_000);
    return { clean, degraded: heard.samples.slice(at, at + clean.length) };
  });
}

/** A recording at `RATE_HZ`: each sample is the mean of those in its time. */
function slowed(recording) {
  const each = Math.ceil(recording.rateHz / RATE_HZ);
  const { startMs, samples } = atRate(recording, each * RATE_HZ);
  const mean = (_, at) => samples.subarray(each * at, each * (at + 1)).reduce((sum, one) => sum + one, 0) / each;
  return { rateHz: RATE_HZ, startMs, samples: Float32Array.from({ length: Math.floor(samples.length / each) }, mean) };
}

function endMsOf({ rateHz, startMs, samples }) {
  return startMs + (1_000 * samples.length) / rateHz;
}
