import { type Mesh, Ray, Vector3 } from "three";
import { expect, test } from "vitest";
import { HANDLE } from "../../src/editing/gizmo-handles.ts";
import { EditGizmoBehaviour, type EditorPressHit, MOVE, SELECT } from "../../src/editing/stoa-edit-gizmo.ts";
import { heard, stubAFrame, stubBox, stubEntity, stubScene } from "../stub-aframe.ts";

const SETTINGS = { enabled: true, mode: "move", own: false, grid: 0, angle: 0, adds: false };

function editing(settings: Partial<typeof SETTINGS> = {}) {
  const clock = { ms: 0 };
  const scene = stubScene();
  const el = stubEntity(scene);
  const gizmo = new EditGizmoBehaviour(stubAFrame(), el, { scene, now: () => clock.ms });
  gizmo.update({ ...SETTINGS, ...settings });
  const box = stubBox(scene, "box", [0, 0.5, 0]);
  const lamp = stubBox(scene, "lamp", [2, 0.5, 0]);
  /** A press on the handle for some axes. */
  const handle = (axes: string): EditorPressHit => {
    let object: Mesh | null = null;
    gizmo.handle.traverse((one) => {
      if (one.userData[HANDLE] === axes) object = one as Mesh;
    });
    return { object, point: new Vector3(), adds: false };
  };
  return { clock, scene, el, gizmo, box, lamp, handle, selected: heard(scene, SELECT), moved: heard(scene, MOVE) };
}

function at(point: Vector3 | null, more: Partial<EditorPressHit> = {}): EditorPressHit {
  return { object: null, point, adds: false, ...more };
}

/** A ray from the eyes to a point. */
function towards(x: number, y: number, z: number): Ray {
  const origin = new Vector3(0, 1.6, 3);
  return new Ray(origin, new Vector3(x, y, z).sub(origin).normalize());
}

const FRONT = new Vector3(0, 0.5, 0.5);

test("a press selects the object, and a drag moves it over the ground", () => {
  const { clock, gizmo, box, selected, moved } = editing();
  const drag = gizmo.take(box, towards(0, 0.5, 0.5), at(FRONT));
  expect(selected).toEqual([{ objectId: "box", objectIds: ["box"] }]);
  clock.ms = 50;
  drag?.move(towards(0.5, 0.5, 0.5));
  expect(moved, "told at most every 100 ms").toEqual([]);
  clock.ms = 120;
  drag?.move(towards(1, 0.5, 0.5));
  drag?.move(towards(1, 0.5, -0.5));
  drag?.end();
  expect(moved).toEqual([
    { moves: [{ objectId: "box", position: { x: 1, y: 0.5, z: 0 } }], final: false },
    { moves: [{ objectId: "box", position: { x: 1, y: 0.5, z: -1 } }], final: true },
  ]);
});

test("a press without a drag moves nothing", () => {
  const { gizmo, box, moved } = editing();
  const drag = gizmo.take(box, towards(0, 0.5, 0.5), at(FRONT));
  drag?.move(towards(0.001, 0.5, 0.5));
  drag?.end();
  expect(moved).toEqual([]);
});

test("dragging an arrow moves the object along its axis only", () => {
  const { el, gizmo, box, handle, moved } = editing();
  gizmo.select([box]);
  const drag = gizmo.take(el, towards(0, 1.3, 0), handle("y"));
  drag?.move(towards(0.5, 2.3, 0));
  drag?.end();
  expect(moved).toEqual([{ moves: [{ objectId: "box", position: { x: 0, y: 1.5, z: 0 } }], final: true }]);
});

test("an object moved with a grid snaps to the grid lines", () => {
  const { el, gizmo, box, handle, moved } = editing({ grid: 0.5 });
  box.object3D.position.x = 0.1;
  box.object3D.updateMatrixWorld(true);
  gizmo.select([box]);
  const drag = gizmo.take(el, towards(0.1, 0.5, 0), handle("x"));
  drag?.move(towards(0.95, 0.5, 0));
  drag?.end();
  expect(moved).toEqual([{ moves: [{ objectId: "box", position: { x: 1, y: 0.5, z: 0 } }], final: true }]);
});

test("an object moved in the plane of its own axes with a grid stays in that plane", () => {
  const { el, gizmo, box, handle, moved } = editing({ grid: 0.5, own: true });
  box.object3D.rotation.z = Math.PI / 6;
  box.object3D.updateMatrixWorld(true);
  gizmo.select([box]);
  const drag = gizmo.take(el, towards(0, 0.5, 0), handle("xz"));
  drag?.move(towards(1, 0.9, -1));
  drag?.end();
  const [{ moves: [move] = [] } = {}] = moved as { moves: { position: { x: number; y: number } }[] }[];
  const { x = 0, y = 0 } = move?.position ?? {};
  expect(x).not.toBe(0);
  expect((y - 0.5) / x, "the slope of the local x axis").toBeCloseTo(Math.tan(Math.PI / 6), 3);
});

test("dragging a ring rotates the object about its axis in whole angle steps", () => {
  const { el, gizmo, box, handle, moved } = editing({ mode: "turn", angle: 45 });
  gizmo.select([box]);
  const drag = gizmo.take(el, towards(1, 0.5, 0), handle("y"));
  drag?.move(towards(0.6, 0.5, -0.6));
  drag?.end();
  const half = Math.round(Math.sin(Math.PI / 8) * 1e5) / 1e5;
  const w = Math.round(Math.cos(Math.PI / 8) * 1e5) / 1e5;
  expect(moved).toEqual([{ moves: [{ objectId: "box", rotation: { x: 0, y: half, z: 0, w } }], final: true }]);
});

test("dragging the cube at the end of an axis scales the object along that axis", () => {
  const { el, gizmo, box, handle, moved } = editing({ mode: "size" });
  gizmo.select([box]);
  const wider = gizmo.take(el, towards(0.5, 0.5, 0), handle("x"));
  wider?.move(towards(1, 0.5, 0));
  wider?.end();
  expect(moved).toEqual([{ moves: [{ objectId: "box", scale: { x: 2, y: 1, z: 1 } }], final: true }]);
});

test("selected objects move together, and a selected child moves only with its parent", () => {
  const { el, gizmo, box, lamp, handle, moved, scene } = editing();
  const shade = stubBox(scene, "shade", [0, 1, 0]);
  lamp.object3D.add(shade.object3D);
  scene.object3D.updateMatrixWorld(true);
  gizmo.select([box, lamp, shade]);
  const drag = gizmo.take(el, towards(1, 0.5, 0), handle("x"));
  drag?.move(towards(2, 0.5, 0));
  drag?.end();
  expect(moved).toEqual([
    {
      moves: [
        { objectId: "box", position: { x: 1, y: 0.5, z: 0 } },
        { objectId: "lamp", position: { x: 3, y: 0.5, z: 0 } },
      ],
      final: true,
    },
  ]);
});

test("a multi-select press adds an object to the selection, or removes it", () => {
  const { gizmo, box, lamp, selected } = editing();
  gizmo.take(box, towards(0, 0.5, 0.5), at(FRONT))?.end();
  expect(gizmo.take(lamp, towards(2, 0.5, 0.5), at(new Vector3(2, 0.5, 0.5), { adds: true }))).toBeNull();
  gizmo.take(box, towards(0, 0.5, 0.5), at(FRONT, { adds: true }));
  expect(selected).toEqual([
    { objectId: "box", objectIds: ["box"] },
    { objectId: "lamp", objectIds: ["box", "lamp"] },
    { objectId: "lamp", objectIds: ["lamp"] },
  ]);
});

test("a locked object can be selected, but not moved", () => {
  const { gizmo, box, moved } = editing();
  gizmo.isMovable = () => false;
  expect(gizmo.take(box, towards(0, 0.5, 0.5), at(FRONT))).toBeNull();
  expect(gizmo.selected).toEqual([box]);
  expect(gizmo.handle.visible).toBe(false);
  expect(moved).toEqual([]);
});

test("a drag towards the sky or the far horizon moves nothing", () => {
  const { gizmo, box, moved } = editing();
  const drag = gizmo.take(box, towards(0, 0.5, 0.5), at(FRONT));
  drag?.move(towards(0, 3, -5));
  drag?.move(towards(0, 1.59, -5));
  drag?.end();
  expect(moved).toEqual([]);
});

test("a press on empty space clears the selection, and so does leaving edit mode", () => {
  const { gizmo, box, selected } = editing();
  gizmo.select([box]);
  expect(gizmo.take(null, towards(5, 0, 0), at(null))).toBeNull();
  gizmo.select([box]);
  gizmo.update({ ...SETTINGS, enabled: false });
  const [chosen, none] = [
    { objectId: "box", objectIds: ["box"] },
    { objectId: null, objectIds: [] },
  ];
  expect(selected).toEqual([chosen, none, chosen, none]);
  expect(gizmo.take(box, towards(0, 0.5, 0.5), at(new Vector3()))).toBeNull();
});

test("remove takes outline and handles away", () => {
  const { scene, el, gizmo, box } = editing();
  const before = scene.object3D.children.length;
  gizmo.select([box]);
  expect(scene.object3D.children.length).toBe(before + 1);
  gizmo.remove();
  expect(scene.object3D.children.length).toBe(before);
  expect(el.object3D.children.length).toBe(0);
});
