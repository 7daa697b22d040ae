import { expect, test } from "vitest";
import { PortalBehaviour, TRAVEL } from "../../src/locomotion/stoa-portal.ts";
import { heard, stubAFrame, stubBox, stubScene } from "../stub-aframe.ts";

const JOURNEY = { scene: "public/sandbox", landmark: "door" };

/** A portal at the origin, with the user 3 m in front of it. */
function portal(radius = 1) {
  const scene = stubScene();
  const el = stubBox(scene, "portal", [0, 1, 0]);
  const component = new PortalBehaviour(stubAFrame(), el);
  component.update({ ...JOURNEY, radius });
  const travels = heard(scene, TRAVEL);
  const stand = (z: number): void => {
    scene.camera?.position.set(0, 1.6, z);
    scene.object3D.updateMatrixWorld(true);
    component.tick();
  };
  return { el, component, travels, stand };
}

test("walking into a portal travels once", () => {
  const { travels, stand } = portal();
  stand(3);
  expect(travels).toEqual([]);
  stand(0.5);
  stand(0.4);
  expect(travels).toEqual([JOURNEY]);
});

test("a user who arrives inside a portal travels only after stepping out and in again", () => {
  const { travels, stand } = portal();
  stand(0.2);
  expect(travels).toEqual([]);
  stand(2);
  stand(0.2);
  expect(travels).toEqual([JOURNEY]);
});

test("a detached portal doesn't travel, nor does one that is attached around the user", () => {
  const { el, travels, stand } = portal();
  const scene = el.object3D.parent;
  stand(3);
  el.object3D.removeFromParent();
  stand(0.5);
  scene?.add(el.object3D);
  stand(0.4);
  expect(travels).toEqual([]);
});

test("a press travels too, and with radius 0 only a press does", () => {
  const { el, travels, stand } = portal(0);
  stand(3);
  stand(0);
  expect(travels).toEqual([]);
  el.emit("mousedown");
  expect(travels).toEqual([JOURNEY]);
});

test("after remove a press does nothing", () => {
  const { el, component, travels } = portal();
  component.remove();
  el.emit("mousedown");
  expect(travels).toEqual([]);
});
