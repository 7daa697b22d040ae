import { beforeEach, expect, it } from "vitest";
import { SILENCE_ASK_MS, SILENCE_BUSY_MS, SILENCE_SHOWN_MS } from "../src/limits.ts";
import { type SilenceAction, SilenceDetector } from "../src/silence.ts";

const STEP_MS = 100;
let silence: SilenceDetector;
let now: number;

beforeEach(() => {
  now = 0;
  silence = new SilenceDetector(now);
});

/** Ticks for `ms` and returns the signs with their times. */
function tick(ms: number): readonly (readonly [number, SilenceAction])[] {
  const signs: (readonly [number, SilenceAction])[] = [];
  for (const until = now + ms; now < until; ) {
    now += STEP_MS;
    const sign = silence.handleTick(now);
    if (sign !== undefined) signs.push([now, sign]);
  }
  return signs;
}

it("a quiet connection is pinged once and then reported silent once", () => {
  expect(tick(60_000)).toEqual([
    [SILENCE_ASK_MS, "ask"],
    [SILENCE_ASK_MS + SILENCE_SHOWN_MS, "fell"],
  ]);
});

it("a silence is reported 5 to 10 s after the last received bytes", () => {
  expect(SILENCE_ASK_MS + SILENCE_SHOWN_MS).toBeGreaterThanOrEqual(5_000);
  expect(SILENCE_ASK_MS + SILENCE_SHOWN_MS).toBeLessThanOrEqual(10_000);
});

it("an answered ping reports no silence, and the next quiet period is pinged again", () => {
  expect(tick(SILENCE_ASK_MS)).toEqual([[SILENCE_ASK_MS, "ask"]]);
  expect(silence.handleHeard(now), "it was not silent").toBe(false);
  expect(tick(SILENCE_ASK_MS)).toEqual([[2 * SILENCE_ASK_MS, "ask"]]);
});

it("a silence ends with the first received bytes and can begin again", () => {
  tick(60_000);
  expect(silence.handleHeard(now)).toBe(true);
  expect(silence.handleHeard(now)).toBe(false);
  expect(tick(SILENCE_ASK_MS + SILENCE_SHOWN_MS).map(([, sign]) => sign)).toEqual(["ask", "fell"]);
});

it("a busy page pings again instead of reporting a silence", () => {
  tick(SILENCE_ASK_MS);
  for (let late = 0; late < 10; late += 1) {
    now += SILENCE_BUSY_MS;
    expect(silence.handleTick(now), "asked again, not told").toBe("ask");
  }
  expect(
    tick(SILENCE_SHOWN_MS).map(([, sign]) => sign),
    "negative control: with time for it, it is",
  ).toEqual(["fell"]);
});
