import { expect, test } from "vitest";
import { CLIENT_EVENT, ClickableBehaviour } from "../../src/pressing/stoa-clickable.ts";
import { heard, stubAFrame, stubBox, stubScene } from "../stub-aframe.ts";

const ray = { source: "right", point: [0, 1, -2], origin: [0, 1.6, 3] } as const;

function button() {
  const scene = stubScene();
  const el = stubBox(scene, "button", [0, 1, -2]);
  const clickable = new ClickableBehaviour(stubAFrame(), el);
  return { scene, el, clickable, events: heard(scene, CLIENT_EVENT) };
}

test("a press emits a client event with target and positions", () => {
  const { el, events } = button();
  el.emit("mousedown", ray, false);
  expect(events).toEqual([
    { type: "mousedown", target: "button", targetPosition: ray.point, originPosition: ray.origin, source: "right" },
  ]);
});

test("hovering shows an outline, leaving hides it, remove takes it away", () => {
  const { scene, el, clickable } = button();
  const before = scene.object3D.children.length;
  el.emit("mouseenter", ray, false);
  const outline = scene.object3D.children.at(-1);
  expect(scene.object3D.children.length).toBe(before + 1);
  expect(outline?.visible).toBe(true);
  el.emit("mouseleave", ray, false);
  expect(outline?.visible).toBe(false);
  clickable.remove();
  expect(scene.object3D.children.length).toBe(before);
});

test("a synthetic click without a ray emits nothing", () => {
  const { el, events } = button();
  el.dispatchEvent(new Event("mousedown"));
  expect(events).toEqual([]);
});

test("a press after remove emits nothing", () => {
  const { el, clickable, events } = button();
  clickable.remove();
  el.emit("mousedown", ray, false);
  expect(events).toEqual([]);
});

test("a click bubbles to the next clickable ancestor, unless bubble is off", () => {
  const { scene, el, clickable, events } = button();
  const crate = stubBox(scene, "crate", [0, 0, 0]);
  new ClickableBehaviour(stubAFrame(), crate);
  crate.setAttribute("stoa-clickable", "");
  crate.object3D.add(el.object3D);
  el.emit("mousedown", ray, false);
  expect(events).toMatchObject([{ target: "crate" }, { target: "button" }]);
  clickable.update({ bubble: false, silent: false });
  el.emit("mouseup", ray, false);
  expect(events.slice(2)).toMatchObject([{ target: "button" }]);
});

test("a silent clickable object emits no client events", () => {
  const { el, clickable, events } = button();
  clickable.update({ bubble: true, silent: true });
  el.emit("mousedown", ray, false);
  expect(events).toEqual([]);
});
