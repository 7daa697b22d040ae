import { expect, test } from "vitest";
import type { Entity, SceneElement } from "../../src/aframe.ts";
import { type CapturedPress, PointerBehaviour } from "../../src/pressing/stoa-pointer.ts";
import { heard, inputSource, stubAFrame, stubBox, stubEntity, stubScene } from "../stub-aframe.ts";

const TYPES = ["mouseenter", "mousedown", "mouseup", "mouseleave"];

function pointing() {
  const scene = stubScene();
  Object.assign(scene.canvas, { getBoundingClientRect: () => new DOMRect(0, 0, 100, 100) });
  const rig = stubEntity(scene);
  const pointer = new PointerBehaviour(stubAFrame(), rig, scene);
  const box = stubBox(scene, "box", [0, 1.6, 0]);
  pointer.targets = [box.object3D];
  return { scene, rig, pointer, box, log: logOf(box) };
}

function logOf(el: Entity): string[] {
  const log: string[] = [];
  for (const type of TYPES) el.addEventListener(type, () => log.push(type));
  return log;
}

function mouse(scene: SceneElement, type: string, [clientX, clientY]: readonly [number, number]): void {
  const target = type === "pointerup" ? document : scene.canvas;
  target.dispatchEvent(new PointerEvent(type, { clientX, clientY, isPrimary: true, button: 0, pointerType: "mouse" }));
}

test("the mouse enters, presses, releases and leaves an object", () => {
  const { scene, log } = pointing();
  mouse(scene, "pointermove", [50, 50]);
  mouse(scene, "pointerdown", [50, 50]);
  mouse(scene, "pointerup", [50, 50]);
  mouse(scene, "pointermove", [2, 2]);
  expect(log).toEqual(TYPES);
});

test("an object that is no target, or not visible, is not met", () => {
  const { scene, pointer, box, log } = pointing();
  box.object3D.visible = false;
  mouse(scene, "pointerdown", [50, 50]);
  box.object3D.visible = true;
  pointer.targets = [];
  mouse(scene, "pointerdown", [50, 50]);
  expect(log).toEqual([]);
});

test("what is foremost is met before what is nearer, in its order", () => {
  const { scene, pointer, box, log } = pointing();
  const near = stubBox(scene, "near", [0, 1.6, 1]);
  const nearest = stubBox(scene, "nearest", [0, 1.6, 1.2]);
  pointer.targets = [nearest.object3D, near.object3D, box.object3D];
  pointer.foremost = [box.object3D, near.object3D];
  const others = [logOf(near), logOf(nearest)];
  mouse(scene, "pointerdown", [50, 50]);
  expect([log, ...others]).toEqual([["mouseenter", "mousedown"], [], []]);
});

test("the nearer of two objects is met", () => {
  const { scene, pointer, log } = pointing();
  const near = stubBox(scene, "near", [0, 1.6, 1]);
  pointer.targets = [...pointer.targets, near.object3D];
  const nearLog = logOf(near);
  mouse(scene, "pointerdown", [50, 50]);
  expect(nearLog).toContain("mousedown");
  expect(log).toEqual([]);
});

test("a child that is no target counts as its parent", () => {
  const { scene, box, log } = pointing();
  const child = stubBox(scene, "child", [0, 0, 1]);
  box.object3D.add(child.object3D);
  scene.object3D.updateMatrixWorld(true);
  const pressed = heard(box, "mousedown");
  mouse(scene, "pointerdown", [50, 50]);
  expect(log).toContain("mousedown");
  expect(pressed[0]).toMatchObject({ source: "camera", point: [0, 1.6, 1.5] });
});

test("a press that is taken moves and ends with the mouse, and the object hears nothing", () => {
  const { scene, pointer, log } = pointing();
  const calls: string[] = [];
  const drag: CapturedPress = { move: () => calls.push("move"), end: () => calls.push("end") };
  pointer.taker = () => drag;
  mouse(scene, "pointerdown", [50, 50]);
  mouse(scene, "pointermove", [55, 50]);
  mouse(scene, "pointerup", [55, 50]);
  expect(calls).toEqual(["move", "end"]);
  expect(log).not.toContain("mousedown");
});

test("an object that is gone is told nothing more", () => {
  const { scene, pointer, box, log } = pointing();
  mouse(scene, "pointerdown", [50, 50]);
  pointer.forget(box);
  log.length = 0;
  mouse(scene, "pointerup", [50, 50]);
  expect(log).toEqual([]);
});

test("what waits outside of the scene for its parent is not met", () => {
  const { scene, box, log } = pointing();
  box.object3D.removeFromParent();
  mouse(scene, "pointerdown", [50, 50]);
  scene.object3D.add(box.object3D);
  expect(log).toEqual([]);
  mouse(scene, "pointerdown", [50, 50]);
  expect(log, "negative control: it is met where it hangs").toEqual(["mouseenter", "mousedown"]);
});

test("what a hand holds is let go when VR ends and when its controller goes to sleep", () => {
  const { scene, pointer } = pointing();
  const calls: string[] = [];
  const drag = (name: string): CapturedPress => ({ move: () => undefined, end: () => calls.push(name) });
  pointer.taker = () => drag("trigger");
  pointer.gripTaker = () => drag("grip");
  const [left, right] = [scene.renderer.xr.getController(0), scene.renderer.xr.getController(1)];
  const data = inputSource("left");
  left.dispatchEvent({ type: "selectstart", data });
  right.dispatchEvent({ type: "squeezestart", data });
  right.dispatchEvent({ type: "disconnected", data });
  expect(calls).toEqual(["grip"]);
  scene.emit("exit-vr");
  expect(calls).toEqual(["grip", "trigger"]);
});

test("after remove the canvas is not listened to and the controllers are out of the rig", () => {
  const { scene, rig, pointer, log } = pointing();
  expect(rig.object3D.children.length, "negative control: there are controllers").toBe(4);
  pointer.remove();
  mouse(scene, "pointerdown", [50, 50]);
  expect(log).toEqual([]);
  expect(rig.object3D.children.length).toBe(0);
});
