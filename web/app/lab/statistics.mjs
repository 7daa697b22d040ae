/** Statistics of measured values. */

/** The quantile `part` (0 to 1) of the values; 0 if there are none. */
export function quantile(values, part) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

export function summary(values) {
  const [p50, p95, p99, max] = [0.5, 0.95, 0.99, 1].map((part) => quantile(values, part));
  return { p50, p95, p99, max, count: values.length };
}
