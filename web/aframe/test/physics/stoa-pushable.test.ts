import { expect, test } from "vitest";
import { PUSH, PushableBehaviour } from "../../src/physics/stoa-pushable.ts";
import { heard, stubAFrame, stubBox, stubScene } from "../stub-aframe.ts";

function pushable(settings = {}) {
  const scene = stubScene();
  const el = stubBox(scene, "ball", [0, 1, 0]);
  const pushes = heard(scene, PUSH);
  const one = new PushableBehaviour(stubAFrame(), el);
  one.update({ on: "mousedown", force: 10, direction: { x: 0, y: 0, z: 0 }, ...settings });
  const press = (type: string) => el.emit(type, { origin: [0, 1, 4], point: [0, 1, 0.5], source: "camera" }, false);
  return { el, one, press, pushes };
}

test("a press pushes the object away from the person with the set force", () => {
  const { press, pushes } = pushable();
  press("mousedown");
  press("mouseup");
  expect(pushes).toEqual([{ objectId: "ball", impulse: { x: 0, y: 0, z: -10 } }]);
});

test("a legacy impulse uses its own direction and event", () => {
  const { press, pushes } = pushable({ on: "mouseup", direction: { x: 1, y: 50, z: 1 } });
  press("mousedown");
  press("mouseup");
  expect(pushes).toEqual([{ objectId: "ball", impulse: { x: 1, y: 50, z: 1 } }]);
});

test("a synthetic click pushes nothing, nor does a press after remove", () => {
  const { el, one, press, pushes } = pushable();
  el.emit("mousedown", null, false);
  one.remove();
  press("mousedown");
  expect(pushes).toEqual([]);
});
