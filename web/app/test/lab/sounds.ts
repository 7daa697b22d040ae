/** Sounds for tests of the lab. */

/** Noise, the same for a seed; each `smooth` samples are averaged, so that it has no high frequencies. */
export function noise(seed: number, length: number, smooth = 1): Float32Array {
  let state = seed;
  const raw = Array.from({ length: length + smooth }, () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
  let sum = raw.slice(0, smooth).reduce((sum, one) => sum + one, 0);
  return Float32Array.from({ length }, (_, at) => {
    const mean = sum / smooth;
    sum += (raw[at + smooth] ?? 0) - (raw[at] ?? 0);
    return mean;
  });
}

/** A recording that is silent but for sounds at some milliseconds. It ends with the last one. */
export function recordingOf(rateHz: number, startMs: number, sounds: readonly (readonly [number, Float32Array])[]) {
  const placed = sounds.map(([ms, sound]) => [Math.round((ms * rateHz) / 1_000), sound] as const);
  const samples = new Float32Array(Math.max(...placed.map(([at, { length }]) => at + length)));
  for (const [at, sound] of placed) samples.set(sound, at);
  return { rateHz, startMs, samples };
}
