import { expect, test } from "vitest";
import { Locomotion } from "../src/stoa-locomotion.ts";
import { stubAFrame, stubEntity, stubScene } from "./stub-aframe.ts";

function rig() {
  const scene = stubScene();
  const el = stubEntity(scene);
  const locomotion = new Locomotion(stubAFrame(), el);
  locomotion.update({ enabled: true, speed: 3 });
  return { scene, el, locomotion };
}

const key = (type: string, code: string, target: EventTarget = window) =>
  target.dispatchEvent(new KeyboardEvent(type, { code, bubbles: true }));

test("W walks forward at the speed that was set until it is let go", () => {
  const { el, locomotion } = rig();
  key("keydown", "KeyW");
  locomotion.tick(0, 50);
  expect(el.object3D.position.z).toBeCloseTo(-0.15, 5);
  key("keyup", "KeyW");
  locomotion.tick(0, 50);
  expect(el.object3D.position.z).toBeCloseTo(-0.15, 5);
});

test("two keys at once are no faster than one", () => {
  const { el, locomotion } = rig();
  key("keydown", "ArrowUp");
  key("keydown", "KeyD");
  locomotion.tick(0, 100);
  expect(el.object3D.position.length()).toBeCloseTo(0.3, 5);
});

test("forward is where the camera looks, over the ground", () => {
  const { scene, el, locomotion } = rig();
  scene.camera?.rotation.set(0, Math.PI / 2, 0);
  scene.camera?.updateMatrixWorld();
  locomotion.setMove(0, -1);
  locomotion.tick(0, 100);
  expect(el.object3D.position.x).toBeCloseTo(-0.3, 5);
  expect(el.object3D.position.y).toBe(0);
});

test("letters typed into a field don't walk", () => {
  const { el, locomotion } = rig();
  const field = document.body.appendChild(document.createElement("input"));
  key("keydown", "KeyW", field);
  locomotion.tick(0, 100);
  expect(el.object3D.position.length()).toBe(0);
});

test("a touch pad is held to its range, and a long frame is no leap", () => {
  const { el, locomotion } = rig();
  locomotion.setMove(0, -50);
  locomotion.tick(0, 10_000);
  expect(el.object3D.position.z).toBeCloseTo(-0.3, 5);
  locomotion.setMove(Number.NaN, 0);
  locomotion.tick(0, 100);
  expect(el.object3D.position.z).toBeCloseTo(-0.3, 5);
});

test("thumbsticks walk and turn by 30 degrees at a time", () => {
  const { scene, el, locomotion } = rig();
  const left = { handedness: "left", gamepad: { axes: [0, 0, 1, 0] } };
  const right = { handedness: "right", gamepad: { axes: [0, 0, 0.9, 0] } };
  Object.assign(scene, { xrSession: { inputSources: [left, right] } });
  locomotion.tick(0, 100);
  locomotion.tick(0, 100);
  expect(el.object3D.rotation.y).toBeCloseTo(-Math.PI / 6, 5);
  expect(el.object3D.position.x).not.toBe(0);
});

test("after remove keys do nothing", () => {
  const { el, locomotion } = rig();
  locomotion.remove();
  key("keydown", "KeyW");
  locomotion.tick(0, 100);
  expect(el.object3D.position.length()).toBe(0);
});
