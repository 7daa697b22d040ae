import { expect, test } from "vitest";
import { HandShape } from "../src/stoa-hand.ts";
import { stubAFrame, stubEntity, stubScene } from "./stub-aframe.ts";

test("a hand is where it was told to be, and remove takes its shape away", () => {
  const el = stubEntity(stubScene());
  const hand = new HandShape(stubAFrame(), el, () => 0);
  hand.update({ color: "#00ff00" });
  hand.push({ position: [0.2, 1.1, -0.3], rotation: [0, 0, 0, 1] });
  hand.tick();
  expect(el.object3D.position.toArray()).toEqual([0.2, 1.1, -0.3]);
  expect(el.object3D.children.length).toBe(1);
  hand.remove();
  expect(el.object3D.children.length).toBe(0);
});
