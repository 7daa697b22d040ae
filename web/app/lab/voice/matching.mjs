/** Finds a sound in a recording. Pure. */
import { correlationOf } from "../sound.mjs";

/**
 * The part of a recording that is most like some samples of its rate, and begins between two times: its beginning in
 * milliseconds, and the correlation by each `step`th sample. A correlation of −1 means that there is no such part.
 */
export function bestMatch(samples, { rateHz, startMs, samples: within }, [fromMs, toMs], step = 1) {
  const indexOf = (ms) => Math.round(((ms - startMs) * rateHz) / 1_000);
  const last = Math.min(indexOf(toMs), within.length - samples.length);
  let best = { atMs: fromMs, correlation: -1 };
  for (let at = Math.max(0, indexOf(fromMs)); at <= last; at += 1) {
    const correlation = correlationOf(samples, within.subarray(at, at + samples.length), step);
    if (correlation > best.correlation) best = { atMs: startMs + (1_000 * at) / rateHz, correlation };
  }
  return best;
}
