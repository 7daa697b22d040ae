import { expect, test } from "vitest";
import { VignetteBehaviour } from "../../src/locomotion/stoa-vignette.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

function vignette(strength: number) {
  const el = stubEntity(stubScene());
  const component = new VignetteBehaviour(stubAFrame(), el);
  component.update({ strength });
  return { el, component };
}

test("the vignette darkens while the user glides, and clears afterwards", () => {
  const { component } = vignette(0.8);
  component.isGliding = () => true;
  component.tick(0, 100);
  expect(component.darkness).toBeCloseTo(0.4, 5);
  component.tick(0, 1_000);
  expect(component.darkness).toBeCloseTo(0.8, 5);
  component.isGliding = () => false;
  component.tick(0, 1_000);
  expect(component.darkness).toBe(0);
});

test("a vignette of strength 0 is removed and doesn't darken", () => {
  const { el, component } = vignette(1);
  expect(el.object3D.children.length, "negative control").toBe(1);
  component.update({ strength: 0 });
  expect(el.object3D.children.length).toBe(0);
  component.isGliding = () => true;
  component.tick(0, 100);
  expect(component.darkness).toBe(0);
});
