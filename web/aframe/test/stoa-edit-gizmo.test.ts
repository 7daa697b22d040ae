import { Ray, Vector3 } from "three";
import { expect, test } from "vitest";
import { EditGizmo, MOVE, SELECT } from "../src/stoa-edit-gizmo.ts";
import { heard, stubAFrame, stubBox, stubEntity, stubScene } from "./stub-aframe.ts";

function editing() {
  const clock = { ms: 0 };
  const scene = stubScene();
  const el = stubEntity(scene);
  const gizmo = new EditGizmo(stubAFrame(), el, { scene, now: () => clock.ms });
  gizmo.update({ enabled: true });
  const box = stubBox(scene, "box", [0, 0.5, 0]);
  return { clock, scene, el, gizmo, box, selected: heard(scene, SELECT), moved: heard(scene, MOVE) };
}

/** A ray from the eyes to a point. */
function towards(x: number, y: number, z: number): Ray {
  const origin = new Vector3(0, 1.6, 3);
  return new Ray(origin, new Vector3(x, y, z).sub(origin).normalize());
}

test("a press chooses the object and a drag moves it over the ground", () => {
  const { clock, gizmo, box, selected, moved } = editing();
  const drag = gizmo.take(box, towards(0, 0.5, 0.5), new Vector3(0, 0.5, 0.5));
  expect(selected).toEqual([{ objectId: "box" }]);
  clock.ms = 50;
  drag?.move(towards(0.5, 0.5, 0.5));
  expect(moved, "told at most every 100 ms").toEqual([]);
  clock.ms = 120;
  drag?.move(towards(1, 0.5, 0.5));
  drag?.move(towards(1, 0.5, -0.5));
  drag?.end();
  expect(moved).toEqual([
    { objectId: "box", position: { x: 1, y: 0.5, z: 0 }, final: false },
    { objectId: "box", position: { x: 1, y: 0.5, z: -1 }, final: true },
  ]);
});

test("a press without a drag moves nothing", () => {
  const { gizmo, box, moved } = editing();
  const drag = gizmo.take(box, towards(0, 0.5, 0.5), new Vector3(0, 0.5, 0.5));
  drag?.move(towards(0.001, 0.5, 0.5));
  drag?.end();
  expect(moved).toEqual([]);
});

test("the arrow moves up and down alone", () => {
  const { el, gizmo, box, moved } = editing();
  gizmo.select(box);
  const drag = gizmo.take(el, towards(0, 1.3, 0), new Vector3(0, 1.3, 0));
  drag?.move(towards(0.5, 2.3, 0));
  drag?.end();
  expect(moved).toEqual([{ objectId: "box", position: { x: 0, y: 1.5, z: 0 }, final: true }]);
});

test("towards the sky or the far horizon nothing moves", () => {
  const { gizmo, box, moved } = editing();
  const drag = gizmo.take(box, towards(0, 0.5, 0.5), new Vector3(0, 0.5, 0.5));
  drag?.move(towards(0, 3, -5));
  drag?.move(towards(0, 1.59, -5));
  drag?.end();
  expect(moved).toEqual([]);
});

test("a press beside everything chooses nothing, and so does leaving edit mode", () => {
  const { gizmo, box, selected } = editing();
  gizmo.select(box);
  expect(gizmo.take(null, towards(5, 0, 0), null)).toBeNull();
  gizmo.select(box);
  gizmo.update({ enabled: false });
  expect(selected.map((detail) => detail)).toEqual([
    { objectId: "box" },
    { objectId: null },
    { objectId: "box" },
    { objectId: null },
  ]);
  expect(gizmo.take(box, towards(0, 0.5, 0.5), new Vector3())).toBeNull();
});

test("remove takes outline and arrow away", () => {
  const { scene, el, gizmo, box } = editing();
  const before = scene.object3D.children.length;
  gizmo.select(box);
  expect(scene.object3D.children.length).toBe(before + 1);
  gizmo.remove();
  expect(scene.object3D.children.length).toBe(before);
  expect(el.object3D.children.length).toBe(0);
});
