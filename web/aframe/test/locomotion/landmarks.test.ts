import type { SceneObject } from "@stoa/client";
import { expect, test } from "vitest";
import { creditsOf, landmarkNamed, landmarksOf, placeAt } from "../../src/locomotion/landmarks.ts";
import { startPlace } from "../../src/locomotion/spawn-point.ts";

const BASE = "https://realm.local/public/lobby";

const object = (objectId: string, attributes: Record<string, unknown>): SceneObject => ({
  objectId,
  type: "object",
  attributes: { object_type: "box", ...attributes },
  persist: true,
});

const door = object("door", { landmark: { label: "The door" }, position: { x: 4, y: 0, z: 0 } });
const hall = object("hall", { landmark: { label: "A hall" }, position: { x: -4, y: 0, z: 0 } });
const box = object("box", {});

test("landmarks are sorted by label, and landmarks without a label are left out", () => {
  expect(landmarksOf([door, box, object("odd", { landmark: { label: " " } }), hall])).toEqual([
    { objectId: "hall", label: "A hall" },
    { objectId: "door", label: "The door" },
  ]);
});

test("a landmark is found by its label in any case or by its id; other objects are not", () => {
  expect(landmarkNamed([door, hall], "the DOOR")?.objectId).toBe("door");
  expect(landmarkNamed([door, hall], "hall")?.objectId).toBe("hall");
  expect(landmarkNamed([door, box], "box")).toBeUndefined();
});

test("a user starts at the landmark named in the address, or else at a starting position", () => {
  const start = object("start", { landmark: { startingPosition: true }, position: { x: 0, y: 0, z: 9 } });
  const at = (landmark: string) => startPlace([start, door], { random: () => 0, landmark }).position;
  expect(at("door")).toEqual({ x: 4, y: 0, z: 0 });
  expect(at("nowhere")).toEqual({ x: 0, y: 0, z: 9 });
});

test("a user who arrives next to a landmark faces it, unless lookAtLandmark is off", () => {
  const beside = { landmark: { offsetPosition: { x: 2, y: 1.6, z: 0 } } };
  const place = placeAt(beside, { x: 0, y: 1, z: 0 }, 0.3, () => 0.5);
  expect(place.position).toEqual({ x: 2, y: 1, z: 0 });
  expect(place.yawRad).toBeCloseTo(Math.PI / 2);
  const away = { landmark: { ...beside.landmark, lookAtLandmark: false } };
  expect(placeAt(away, { x: 0, y: 1, z: 0 }, 0.3, () => 0.5).yawRad).toBe(0.3);
});

test("credits are listed once each, without unsafe URLs and unpublished authors", () => {
  const credit = { title: "Mammoth", author: "A museum", authorURL: "https://museum.example/" };
  const all = [
    object("a", { attribution: credit }),
    object("b", { attribution: credit }),
    object("c", { attribution: { title: "Trap", sourceURL: "javascript:alert(1)" } }),
    object("d", { attribution: { title: "Secret", publish: false } }),
  ];
  expect(creditsOf(all, BASE)).toEqual([credit, { title: "Trap" }]);
});

test("constrainToNavMesh decides whether an arrival is moved onto the navigation mesh", () => {
  const on = (constrainToNavMesh: unknown) =>
    placeAt({ landmark: { constrainToNavMesh } }, { x: 0, y: 0, z: 0 }, 0, () => 0).onFloor;
  expect([undefined, "false", false, "nonsense"].map(on)).toEqual(Array(4).fill("anywhere"));
  expect(["any", true, "coplanar"].map(on)).toEqual(["nearest", "nearest", "level"]);
});
