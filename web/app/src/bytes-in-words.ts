/** `1.4 MB`, as file managers say it. */
export function bytesInWords(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"] as const;
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
