/** Finds gaps in a heard voice. Pure. */
import { powerOf } from "../sound.mjs";
import { quantile } from "../statistics.mjs";

/** Sound is compared by frames of this length. */
const FRAME_MS = 5;
/** Power of voiced sound below that of loud sound, which a twentieth of the frames exceed: −30 dB. */
const VOICED = 1e-3;
/** Power below which sound is missing, below that of the weakest voiced sound: −10 dB. */
const MISSING = 0.1;
/** Sound counts as voiced if all is, from so long before to so long after it: delays vary by that much. */
const AROUND_MS = 20;
/** A shorter silence is no gap. */
const GAP_MS = 40;

/**
 * The gaps in a heard voice: silences of over 40 ms where the said one has sound all the time. `delayMs` is the delay
 * between both. Returns the time of voiced sound and of the gaps, both in milliseconds, and the length of each gap.
 */
export function gapsIn(said, heard, delayMs) {
  const powers = framePowers(said, said.startMs, Math.floor((1_000 * said.samples.length) / said.rateHz / FRAME_MS));
  const heardPowers = framePowers(heard, said.startMs + delayMs, powers.length);
  const voiced = VOICED * quantile(powers, 0.95);
  const around = AROUND_MS / FRAME_MS;
  const isVoiced = powers.map((_, at) => {
    const frames = powers.slice(Math.max(0, at - around), at + around + 1);
    const isWhole = frames.length === 2 * around + 1 && heardPowers[at] !== undefined;
    return isWhole && Math.min(...frames) >= voiced;
  });
  const gain = quantile(
    powers.flatMap((power, at) => (isVoiced[at] ? [heardPowers[at] / power] : [])),
    0.5,
  );
  const isMissing = (at) => isVoiced[at] && heardPowers[at] < gain * voiced * MISSING;
  const gapsMs = runs(powers.length, isMissing).map((frames) => frames * FRAME_MS);
  const gaps = gapsMs.filter((ms) => ms > GAP_MS);
  const sum = (values) => values.reduce((sum, one) => sum + one, 0);
  return { voicedMs: isVoiced.filter(Boolean).length * FRAME_MS, gapMs: sum(gaps), gaps };
}

/** Powers of frames from a time on; `undefined` where the recording has none. */
function framePowers({ rateHz, startMs, samples }, fromMs, count) {
  const indexOf = (frame) => Math.round(((fromMs + frame * FRAME_MS - startMs) * rateHz) / 1_000);
  return Array.from({ length: count }, (_, frame) => {
    const [from, to] = [indexOf(frame), indexOf(frame + 1)];
    return from < 0 || to > samples.length ? undefined : powerOf(samples.subarray(from, to));
  });
}

/** Lengths of the runs of numbers from 0 on that fulfil a condition. */
function runs(count, fulfils) {
  const lengths = [];
  let length = 0;
  for (let at = 0; at <= count; at += 1) {
    if (at < count && fulfils(at)) length += 1;
    else if (length > 0) {
      lengths.push(length);
      length = 0;
    }
  }
  return lengths;
}
