import { describe, expect, it } from "vitest";
import { nearestSlots, squaredDistance } from "../src/sound/loudness.ts";

describe("voices placed by head-related transfer functions", () => {
  it("are the nearest", () => {
    const distances = new Map([
      [0, 9],
      [1, 1],
      [2, 4],
    ]);
    expect(nearestSlots(distances, new Set(), 2)).toEqual(new Set([1, 2]));
    expect(nearestSlots(distances, new Set(), 0)).toEqual(new Set());
  });

  it("stay until another is a fifth nearer", () => {
    const at = (other: number) =>
      new Map([
        [0, 1],
        [1, other],
      ]);
    expect(nearestSlots(at(0.7), new Set([0]), 1)).toEqual(new Set([0]));
    expect(nearestSlots(at(0.69), new Set([0]), 1)).toEqual(new Set([1]));
  });
});

describe("a squared distance", () => {
  it("counts all axes", () => {
    expect(squaredDistance([1, 2, 3], [2, 4, 5])).toBe(9);
  });
});
