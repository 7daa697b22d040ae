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

test("a landmark on a turned, larger stage is where the stage carries it, and looks its way", () => {
  const quarter = { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 };
  const stage = {
    objectId: "stage",
    type: "object",
    attributes: { position: { x: 10, y: 1, z: 0 }, rotation: quarter, scale: { x: 2, y: 2, z: 2 } },
    persist: true,
  };
  const start = landmark({ parent: "stage", position: { x: 0, y: 0, z: -1 }, rotation: { x: 0, y: 90, z: 0 } });
  const { position, yawRad } = startPlace([start, stage], half);
  expect(position).toEqual({ x: expect.closeTo(8, 5), y: expect.closeTo(1, 5), z: expect.closeTo(0, 5) });
  expect(Math.abs(yawRad)).toBeCloseTo(Math.PI, 4);
});

test("a landmark that hangs on what isn't there, on a person, or on itself is not there", () => {
  const middle = { x: 0, y: 0, z: 3.75 };
  for (const parent of ["gone", "bob_1", "start"]) {
    expect(startPlace([landmark({ parent, position: { x: 50, y: 0, z: 0 } })], half).position).toEqual(middle);
  }
});
