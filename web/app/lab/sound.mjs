/** Compares recordings of the same sound. Pure. */

/** A delay is searched between these: negative ones show that a recorder is late. */
const DELAY_MS_MIN = -200;
export const DELAY_MS_MAX = 800;
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
 * like are omitted.
 */
export function delaysBetween(recorded, to) {
  const from = atRate(recorded, to.rateHz);
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
  const samplesOf = (ms) => Math.round((rateHz * ms) / 1_000);
  for (let delay = samplesOf(DELAY_MS_MIN); delay < samplesOf(DELAY_MS_MAX); delay += STEP) {
    const at = zero + delay;
    if (at < 0 || at + samples.length > within.length) continue;
    const correlation = correlationOf(samples, within.subarray(at, at + samples.length), STEP);
    if (correlation > best.correlation) best = { delay, correlation };
  }
  return best;
}

/** A recording at another rate, interpolated linearly: the spectrum of speech lies far below both rates. */
export function atRate({ rateHz, startMs, samples }, toHz) {
  const converted = new Float32Array(Math.floor((samples.length * toHz) / rateHz));
  for (let at = 0; at < converted.length; at += 1) {
    const place = (at * rateHz) / toHz;
    const [before, share] = [Math.floor(place), place % 1];
    converted[at] = (1 - share) * (samples[before] ?? 0) + share * (samples[before + 1] ?? 0);
  }
  return { rateHz: toHz, startMs, samples: converted };
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
