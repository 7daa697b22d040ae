/** Resamples a value over a particle's lifetime for the particle shader. Pure. */

/** Keys of a ramp in the shader. */
export const RAMP_KEYS = 4;

/** Resamples values to `keys` equidistant ones by linear interpolation. */
export function ramp(values: readonly number[], keys = RAMP_KEYS): readonly number[] {
  const last = values.length - 1;
  return Array.from({ length: keys }, (_, key) => {
    const at = (key / (keys - 1)) * Math.max(0, last);
    const low = Math.floor(at);
    const [from, to] = [values[low] ?? 0, values[Math.min(last, low + 1)] ?? 0];
    return from + (to - from) * (at - low);
  });
}
