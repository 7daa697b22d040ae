import { number, texts } from "./texts.ts";

/** A size in decimal units, as file managers show it: `1.4 MB`. */
export function bytesInWords(bytes: number): string {
  const { units, size } = texts.shared;
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const rounded = unit === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10;
  return size(number(rounded), units[unit] ?? "");
}
