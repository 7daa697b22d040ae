import { describe, expect, it } from "vitest";
import { rotated } from "../src/rotation.ts";
import type { Quaternion, Vector3 } from "../src/types.ts";

const HALF = Math.SQRT1_2;

describe("a rotated vector", () => {
  it.each<readonly [string, Vector3, Quaternion, Vector3]>([
    ["stays without a rotation", [1, 2, 3], [0, 0, 0, 1], [1, 2, 3]],
    ["turns left around y: ahead becomes left", [0, 0, -1], [0, HALF, 0, HALF], [-1, 0, 0]],
    ["turns up around x: ahead becomes up", [0, 0, -1], [HALF, 0, 0, HALF], [0, 1, 0]],
    ["turns around z: right becomes up", [1, 0, 0], [0, 0, HALF, HALF], [0, 1, 0]],
    ["keeps its length in a rotation about all axes", [2, 0, 0], [0.5, 0.5, 0.5, 0.5], [0, 2, 0]],
  ])("%s", (_, vector, rotation, expected) => {
    for (const [axis, value] of rotated(vector, rotation).entries()) expect(value).toBeCloseTo(expected[axis] ?? 0, 12);
  });
});
