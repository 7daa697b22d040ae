import { expect, test } from "vitest";
import { PoseBuffer } from "../../src/people/interpolation.ts";

const pose = (x: number): number[] => [x, 0, 0, 0, 0, 0, 1];

function shown(buffer: PoseBuffer, nowMs: number): number {
  const out = new Float64Array(7);
  buffer.sample(nowMs - 150, out);
  return out[0] ?? Number.NaN;
}

/** A walk of 1 m/s from 0, with a pose every 100 ms until `endMs`, sampled every 10 ms. */
function walk(endMs: number, showMs: number): number[] {
  const buffer = new PoseBuffer();
  const places: number[] = [];
  for (let now = 0; now <= showMs; now += 10) {
    if (now % 100 === 0 && now <= endMs) buffer.push(now, pose(now / 1_000), now - 150);
    places.push(shown(buffer, now));
  }
  return places;
}

function steps(places: readonly number[]): number[] {
  return places.slice(1).map((place, at) => place - (places[at] ?? 0));
}

test("a steady walk is shown without a step back and without a jump", () => {
  const walked = steps(walk(2_000, 2_000));
  expect(Math.min(...walked)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...walked)).toBeLessThan(0.02);
});

test("poses are shown 150 ms late", () => {
  expect(walk(2_000, 2_000).at(-1)).toBeCloseTo(1.85, 5);
});

test("a walk without further poses is extrapolated for 100 ms and then stops", () => {
  const places = walk(1_000, 3_000);
  expect(places.at(-1)).toBeCloseTo(1.1, 5);
  expect(Math.max(...places)).toBeLessThan(1.100_001);
});

test("poses after a minute without frames catch up within 150 ms without a jump", () => {
  const buffer = new PoseBuffer();
  buffer.push(0, pose(0), -150);
  buffer.push(100, pose(0.1), -50);
  const before = shown(buffer, 60_000);
  for (let late = 0; late < 600; late += 1) buffer.push(60_000 + late / 100, pose(1 + late / 10), 59_850 + late / 100);
  expect(shown(buffer, 60_000)).toBeCloseTo(before, 5);
  expect(shown(buffer, 60_160)).toBeCloseTo(60.9, 1);
});

test("a move after a standstill starts from the last position", () => {
  const buffer = new PoseBuffer();
  buffer.push(0, pose(5), -150);
  buffer.push(1_000, pose(5.1), 850);
  expect(shown(buffer, 1_000)).toBeCloseTo(5, 5);
  expect(shown(buffer, 1_075)).toBeCloseTo(5.05, 5);
  expect(shown(buffer, 1_150)).toBeCloseTo(5.1, 5);
});

test("rotations are interpolated along the shorter arc and remain unit quaternions", () => {
  const buffer = new PoseBuffer();
  const half = Math.SQRT1_2;
  buffer.push(0, [0, 0, 0, 0, 0, 0, 1], -150);
  buffer.push(100, [0, 0, 0, 0, -half, 0, -half], -50); // 90° about y, with the other sign
  const out = new Float64Array(7);
  buffer.sample(50, out);
  expect(out[4]).toBeCloseTo(Math.sin(Math.PI / 8), 5);
  expect(Math.hypot(...out.slice(3))).toBeCloseTo(1, 6);
});

test("sampling an empty buffer leaves the output unchanged", () => {
  const out = new Float64Array([9, 9, 9, 9, 9, 9, 9]);
  new PoseBuffer().sample(0, out);
  expect(out[0]).toBe(9);
});

test("a cleared buffer extrapolates from its first two poses", () => {
  const buffer = new PoseBuffer();
  buffer.restart(0, pose(0));
  buffer.clear();
  buffer.push(1_000, pose(1), 850);
  buffer.push(1_100, pose(1.1), 950);
  expect(shown(buffer, 1_300)).toBeCloseTo(1.15, 5);
});
