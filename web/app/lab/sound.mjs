/** Compares recordings of the same sound. Pure. */

/** A delay is searched up to this. */
const DELAY_MS_MAX = 800;
/** Windows of this length are compared. */
const WINDOW_MS = 250;
/** Power below which a window is silence: −40 dB. */
const SILENCE = 1e-4;
/** Correlation from which a window counts as the same sound. */
const SAME = 0.6;
/** Each so many samples are compared. */
const STEP = 4;

/**
 * Delays in milliseconds from one recording to another of the same sound, by windows with sound. Windows without their
 * like are omitted. Both recordings have the same rate.
 */
export function delaysBetween(from, to) {
  const window = Math.round((from.rateHz * WINDOW_MS) / 1_000);
  const delays = [];
  for (let at = 0; at + window <= from.samples.length; at += window) {
    const samples = from.samples.subarray(at, at + window);
    if (powerOf(samples) < SILENCE) continue;
    const zero = Math.round(((from.startMs - to.startMs) * to.rateHz) / 1_000) + at;
    const { delay, correlation } = bestMatch(samples, to, zero);
    if (correlation >= SAME) delays.push((1_000 * delay) / to.rateHz);
  }
  return delays;
}

function bestMatch(samples, { samples: within, rateHz }, zero) {
  let best = { delay: 0, correlation: -1 };
  const delayMax = (rateHz * DELAY_MS_MAX) / 1_000;
  for (let delay = 0; delay < delayMax; delay += STEP) {
    const at = zero + delay;
    if (at < 0 || at + samples.length > within.length) continue;
    const correlation = correlationOf(samples, within.subarray(at, at + samples.length), STEP);
    if (correlation > best.correlation) best = { delay, correlation };
  }
  return best;
}

/** The correlation of two pieces of equal length, −1 to 1, by each `step`th sample. */
export function correlationOf(one, other, step = 1) {
  let [product, power, otherPower] = [0, 0, 0];
  for (let at = 0; at < one.length; at += step) {
    product += one[at] * other[at];
    power += one[at] * one[at];
    otherPower += other[at] * other[at];
  }
  return product / Math.sqrt(power * otherPower + 1e-20);
}

/** The mean square of samples. */
export function powerOf(samples) {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return sum / samples.length;
}
