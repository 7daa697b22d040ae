import { expect, test } from "vitest";
import { TEXT_LINES_MAX } from "../../src/limits.ts";
import { fontMetrics, widthOf, wrapped } from "../../src/panels/font-metrics.ts";
import { roboto } from "./roboto.ts";

test("text wraps between words, and no line exceeds the width", () => {
  const lines = wrapped(roboto, "The quick brown fox jumps over the lazy dog.", 0.1, 1);
  expect(lines.join(" ")).toBe("The quick brown fox jumps over the lazy dog.");
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(widthOf(roboto, line, 0.1)).toBeLessThanOrEqual(1);
});

test("a word wider than the line is broken, and line breaks are kept", () => {
  const lines = wrapped(roboto, "a\n\nDonaudampfschifffahrtsgesellschaft", 0.1, 0.5);
  expect(lines.slice(0, 2)).toEqual(["a", ""]);
  expect(lines.slice(2).join("")).toBe("Donaudampfschifffahrtsgesellschaft");
  for (const line of lines) expect(widthOf(roboto, line, 0.1)).toBeLessThanOrEqual(0.5);
});

test("a wide letter is wider than a narrow one, and widths scale with the size", () => {
  expect(widthOf(roboto, "W", 1)).toBeGreaterThan(2 * widthOf(roboto, "i", 1));
  expect(widthOf(roboto, "Word", 2)).toBeCloseTo(2 * widthOf(roboto, "Word", 1));
});

test("wrapping stops at the maximum number of lines, even where no letter fits", () => {
  expect(wrapped(roboto, "long ".repeat(20_000), 1, 0.001).length).toBe(TEXT_LINES_MAX);
  expect(wrapped(roboto, "\n".repeat(20_000), 1, 1).length).toBe(TEXT_LINES_MAX);
});

test("an invalid font gives zero width and wraps nothing", () => {
  expect(widthOf(fontMetrics(null), "Word", 1)).toBe(0);
  expect(wrapped(fontMetrics({ chars: 7 }), "two words", 1, 1)).toEqual(["two words"]);
});
