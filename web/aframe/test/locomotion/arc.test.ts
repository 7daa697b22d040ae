import * as THREE from "three";
import { expect, test } from "vitest";
import { ARC_NUMBERS, type ArcTraceResult, meetFloor, traceArc } from "../../src/locomotion/arc.ts";
import { type Floor, OpenGround } from "../../src/locomotion/floor.ts";

function thrown(direction: readonly [number, number, number], floor: Floor = new OpenGround()) {
  const ray = new THREE.Ray(new THREE.Vector3(0, 1.4, 0), new THREE.Vector3(...direction).normalize());
  const places = new Float32Array(ARC_NUMBERS);
  const arc: ArcTraceResult = { corners: 0, landed: false };
  traceArc(ray, floor, places, arc);
  return { arc, end: [...places.subarray((arc.corners - 1) * 3, arc.corners * 3)] };
}

test("a level arc lands on the floor some metres ahead", () => {
  const { arc, end } = thrown([0, 0, -1]);
  expect(arc.landed).toBe(true);
  expect(end[1]).toBe(0);
  expect(end[2]).toBeLessThan(-3);
  expect(end[2]).toBeGreaterThan(-7);
});

test("an upward arc reaches farther than a downward one", () => {
  expect(thrown([0, 0.5, -1]).end[2]).toBeLessThan(thrown([0, -0.5, -1]).end[2] ?? 0);
});

test("an arc without a floor doesn't land", () => {
  const { arc } = thrown([0, 0, -1], { step: () => undefined, landing: () => null });
  expect(arc.landed).toBe(false);
});

test("a downward ray hits the floor; a level, upward or far-reaching ray doesn't", () => {
  const met = (direction: readonly [number, number, number]) => {
    const ray = new THREE.Ray(new THREE.Vector3(0, 1.6, 0), new THREE.Vector3(...direction).normalize());
    const place = new THREE.Vector3();
    return meetFloor(ray, new OpenGround(), place) ? place.toArray() : null;
  };
  expect(met([0, -1, -1])).toEqual([0, 0, expect.closeTo(-1.6, 0)]);
  expect([met([0, 0, -1]), met([0, 1, -1]), met([0, -0.01, -1])]).toEqual([null, null, null]);
});
