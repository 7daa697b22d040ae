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

test("a hidden object, or one that is no target, isn't hit", () => {
  const { scene, pointer, box, log } = pointing();
  box.object3D.visible = false;
  mouse(scene, "pointerdown", [50, 50]);
  box.object3D.visible = true;
  pointer.targets = [];
  mouse(scene, "pointerdown", [50, 50]);
  expect(log).toEqual([]);
});

test("foremost objects are hit before nearer ones, in their order", () => {
  const { scene, pointer, box, log } = pointing();
  const near = stubBox(scene, "near", [0, 1.6, 1]);
  const nearest = stubBox(scene, "nearest", [0, 1.6, 1.2]);
  pointer.targets = [nearest.object3D, near.object3D, box.object3D];
  pointer.foremost = [box.object3D, near.object3D];
  const others = [logOf(near), logOf(nearest)];
  mouse(scene, "pointerdown", [50, 50]);
  expect([log, ...others]).toEqual([["mouseenter", "mousedown"], [], []]);
});

test("the nearer of two objects is hit", () => {
  const { scene, pointer, log } = pointing();
  const near = stubBox(scene, "near", [0, 1.6, 1]);
  pointer.targets = [...pointer.targets, near.object3D];
  const nearLog = logOf(near);
  mouse(scene, "pointerdown", [50, 50]);
  expect(nearLog).toContain("mousedown");
  expect(log).toEqual([]);
});

test("a hit on a child that is no target counts for its parent", () => {
  const { scene, box, log } = pointing();
  const child = stubBox(scene, "child", [0, 0, 1]);
  box.object3D.add(child.object3D);
  scene.object3D.updateMatrixWorld(true);
  const pressed = heard(box, "mousedown");
  mouse(scene, "pointerdown", [50, 50]);
  expect(log).toContain("mousedown");
  expect(pressed[0]).toMatchObject({ source: "camera", point: [0, 1.6, 1.5] });
});

test("a captured press follows the mouse, and the object gets no mousedown", () => {
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

test("a forgotten object receives no further events", () => {
  const { scene, pointer, box, log } = pointing();
  mouse(scene, "pointerdown", [50, 50]);
  pointer.forget(box);
  log.length = 0;
  mouse(scene, "pointerup", [50, 50]);
  expect(log).toEqual([]);
});

test("an object detached from the scene isn't hit", () => {
  const { scene, box, log } = pointing();
  box.object3D.removeFromParent();
  mouse(scene, "pointerdown", [50, 50]);
  scene.object3D.add(box.object3D);
  expect(log).toEqual([]);
  mouse(scene, "pointerdown", [50, 50]);
  expect(log, "negative control: it is met where it hangs").toEqual(["mouseenter", "mousedown"]);
});

test("a controller's drag ends when VR ends, and when the controller disconnects", () => {
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

test("remove detaches the canvas listeners and takes the controllers out of the rig", () => {
  const { scene, rig, pointer, log } = pointing();
  expect(rig.object3D.children.length, "negative control: there are controllers").toBe(4);
  pointer.remove();
  mouse(scene, "pointerdown", [50, 50]);
  expect(log).toEqual([]);
  expect(rig.object3D.children.length).toBe(0);
});
