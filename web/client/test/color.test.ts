import { expect, it } from "vitest";
import { colorOf } from "../src/payloads.ts";

const WHITE = 1;
/** The darker theme's panel, `#1d2327`. */
const DARK_PANEL = 0.0164;

/** Relative luminance of WCAG 2.2. */
function luminance(color: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const idTags = Array.from({ length: 500 }, (_, number) => `anonymous-${number}_${number * 7919}`);

it("an idTag always gets the same colour", () => {
  expect(colorOf("ada_1")).toBe(colorOf("ada_1"));
});

it("idTags that differ by one character mostly get another colour", () => {
  const pairs = idTags.map((idTag) => colorOf(`${idTag}a`) === colorOf(`${idTag}b`));
  expect(pairs.filter((alike) => alike).length).toBeLessThan(100);
});

it("500 idTags get at least 16 colours, spread about evenly", () => {
  const counts = new Map<string, number>();
  for (const idTag of idTags) counts.set(colorOf(idTag), (counts.get(colorOf(idTag)) ?? 0) + 1);
  expect(counts.size).toBeGreaterThanOrEqual(16);
  expect(Math.max(...counts.values())).toBeLessThan(60);
});

it("every colour has a contrast of at least 3:1 to white and to the dark panel", () => {
  for (const color of new Set(idTags.map(colorOf))) {
    expect(contrast(luminance(color), WHITE), color).toBeGreaterThanOrEqual(3);
    expect(contrast(luminance(color), DARK_PANEL), color).toBeGreaterThanOrEqual(3);
  }
});
