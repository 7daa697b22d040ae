import type { SceneObject } from "@stoa/client";
import { expect, test } from "vitest";
import { type SpawnPose, startPlace } from "../../src/locomotion/spawn-point.ts";

const landmark = (attributes: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  objectId: "start",
  type: "object",
  attributes: { ...attributes, landmark: { startingPosition: true, ...more } },
  persist: true,
});
/** Exactly at the spawn point. */
const exact = { random: () => 0 };
const half = { random: () => 0.5 };

/** A reproducible random generator. */
function chance(seed: number): () => number {
  let at = seed;
  return () => {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    return at / 2 ** 32;
  };
}

/** The poses of people who enter one after the other, each with knowledge of the earlier ones. */
function arrivals(objects: readonly SceneObject[], count: number): SpawnPose[] {
  const random = chance(7);
  const places: SpawnPose[] = [];
  for (let at = 0; at < count; at += 1)
    places.push(startPlace(objects, { random, others: places.map(({ position }) => ({ ...position, y: 1.6 })) }));
  return places;
}

function closest(places: readonly SpawnPose[]): number {
  const gaps = places.flatMap(({ position: a }, at) =>
    places.slice(at + 1).map(({ position: b }) => Math.hypot(a.x - b.x, a.z - b.z)),
  );
  return Math.min(...gaps);
}

test("a user of a scene without a starting position starts in front of the origin, facing it", () => {
  const { position, yawRad } = startPlace([], exact);
  expect(position).toEqual({ x: 0, y: 0, z: 3.75 });
  expect(yawRad).toBe(0);
});

test("a starting position sets position and direction, and its offset is that of the eyes", () => {
  const rotation = { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 };
  const offsetPosition = { x: 0, y: 2.6, z: 0 };
  const { position, yawRad } = startPlace(
    [landmark({ position: { x: 1, y: 2, z: 3 }, rotation }, { offsetPosition })],
    exact,
  );
  expect(position).toEqual({ x: 1, y: expect.closeTo(3, 5), z: 3 });
  expect(yawRad).toBeCloseTo(Math.PI / 2, 4);
});

test("arrivals are spread within the landmark's radius, and face it with lookAtLandmark", () => {
  const around = landmark({}, { randomRadiusMin: 1, randomRadiusMax: 3, lookAtLandmark: true });
  const { position, yawRad } = startPlace([around], half);
  expect(position.x).toBeCloseTo(-2, 5);
  expect(position.z).toBeCloseTo(0, 5);
  // West of the landmark the user faces east: a quarter turn to the right.
  expect(yawRad).toBeCloseTo(-Math.PI / 2, 5);
});

test("a landmark that isn't a starting position is ignored", () => {
  const other = { ...landmark({ position: { x: 50, y: 0, z: 0 } }, { startingPosition: false }) };
  expect(startPlace([other], exact).position.x).toBe(0);
});

test("a landmark's position and direction follow its rotated and scaled parent", () => {
  const quarter = { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 };
  const stage = {
    objectId: "stage",
    type: "object",
    attributes: { position: { x: 10, y: 1, z: 0 }, rotation: quarter, scale: { x: 2, y: 2, z: 2 } },
    persist: true,
  };
  const start = landmark({ parent: "stage", position: { x: 0, y: 0, z: -1 }, rotation: { x: 0, y: 90, z: 0 } });
  const { position, yawRad } = startPlace([start, stage], exact);
  expect(position).toEqual({ x: expect.closeTo(8, 5), y: expect.closeTo(1, 5), z: expect.closeTo(0, 5) });
  expect(Math.abs(yawRad)).toBeCloseTo(Math.PI, 4);
});

test("a landmark whose parent is missing, a person or itself is ignored", () => {
  const middle = { x: 0, y: 0, z: 3.75 };
  for (const parent of ["gone", "bob_1", "start"]) {
    expect(startPlace([landmark({ parent, position: { x: 50, y: 0, z: 0 } })], exact).position).toEqual(middle);
  }
});

test("arrivals keep apart from each other, near the start and facing its direction", () => {
  const start = landmark({
    position: { x: 10, y: 2, z: 0 },
    rotation: { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 },
  });
  const places = arrivals([start], 30);
  expect(closest(places)).toBeGreaterThan(0.75);
  for (const { position, yawRad } of places) {
    expect(Math.hypot(position.x - 10, position.z)).toBeLessThan(5.2);
    expect(position.y).toBeCloseTo(2, 5);
    expect(yawRad).toBeCloseTo(Math.PI / 2, 4);
  }
  for (const { position } of places.slice(0, 3)) expect(Math.hypot(position.x - 10, position.z)).toBeLessThan(1.51);
});

test("a lone arrival gets the exact start; without a starting position arrivals are spread randomly", () => {
  const random = chance(3);
  const start = landmark({ position: { x: 10, y: 0, z: 2 } });
  expect(startPlace([start], { random }).position).toEqual({ x: 10, y: 0, z: 2 });
  const places = Array.from({ length: 200 }, () => startPlace([], { random }));
  const apart = places.slice(1).filter((place, before) => closest([place, ...places.slice(before, before + 1)]) > 0.5);
  expect(apart.length).toBeGreaterThan(160);
});

test("arrivals fill a landmark's own radius first, and are then placed outside it", () => {
  const start = landmark({}, { randomRadiusMin: 1, randomRadiusMax: 1.5, lookAtLandmark: false });
  const away = ({ position }: SpawnPose) => Math.hypot(position.x, position.z);
  const places = arrivals([start], 20);
  expect(closest(places)).toBeGreaterThan(0.75);
  for (const one of places.slice(0, 4)) {
    expect(away(one)).toBeGreaterThan(0.99);
    expect(away(one)).toBeLessThan(1.51);
  }
  expect(Math.max(...places.map(away))).toBeGreaterThan(1.51);
});
