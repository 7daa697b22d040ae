import { expect, test } from "vitest";
import { OnlyInBehaviour } from "../../src/drawing/stoa-only-in.ts";
import { stubEntity, stubScene } from "../stub-aframe.ts";

function object() {
  const scene = stubScene();
  const states: Set<string> = Object.getOwnPropertyDescriptor(scene, "states")?.value;
  const el = stubEntity(scene);
  return { scene, states, el, only: new OnlyInBehaviour(el) };
}

test("a VR-only object is visible in VR, and hidden on the page and in AR", () => {
  const { scene, states, el, only } = object();
  only.update({ vr: true, ar: false });
  const seen = (mode: string): boolean => {
    states.clear();
    states.add(mode);
    scene.emit("enter-vr");
    return el.object3D.visible;
  };
  expect([el.object3D.visible, seen("vr-mode"), seen("ar-mode")]).toEqual([false, true, false]);
  only.update({ vr: true, ar: true });
  expect(el.object3D.visible).toBe(true);
  states.clear();
  scene.emit("exit-vr");
  expect(el.object3D.visible).toBe(false);
  only.remove();
  expect(el.object3D.visible).toBe(true);
});

test("an object with visible set to false stays hidden in VR", () => {
  const { scene, states, el, only } = object();
  only.update({ vr: true, ar: false });
  el.setAttribute("visible", "false");
  states.add("vr-mode");
  scene.emit("enter-vr");
  expect(el.object3D.visible).toBe(false);
});
