import { expect, test } from "vitest";
import { startPlace } from "../src/start-place.ts";

const landmark = (attributes: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  objectId: "start",
  type: "object",
  attributes: { ...attributes, landmark: { startingPosition: true, ...more } },
  persist: true,
});
const half = () => 0.5;

test("a scene without a starting position is entered before its middle, looking at it", () => {
  const { position, yawRad } = startPlace([], half);
  expect(position).toEqual({ x: 0, y: 0, z: 3.75 });
  expect(yawRad).toBe(0);
});

test("a starting position says where one stands and looks; its offset is that of the eyes", () => {
  const rotation = { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 };
  const offsetPosition = { x: 0, y: 2.6, z: 0 };
  const { position, yawRad } = startPlace(
    [landmark({ position: { x: 1, y: 2, z: 3 }, rotation }, { offsetPosition })],
    half,
  );
  expect(position).toEqual({ x: 1, y: expect.closeTo(3, 5), z: 3 });
  expect(yawRad).toBeCloseTo(Math.PI / 2, 4);
});

test("people are spread around it, and may be made to look at it", () => {
  const around = landmark({}, { randomRadiusMin: 1, randomRadiusMax: 3, lookAtLandmark: true });
  const { position, yawRad } = startPlace([around], half);
  expect(position.x).toBeCloseTo(-2, 5);
  expect(position.z).toBeCloseTo(0, 5);
  // West of it one looks east: a quarter turn to the right.
  expect(yawRad).toBeCloseTo(-Math.PI / 2, 5);
});

test("a landmark that is no starting position is not one", () => {
  const other = { ...landmark({ position: { x: 50, y: 0, z: 0 } }, { startingPosition: false }) };
  expect(startPlace([other], half).position.x).toBe(0);
});
