import { Scene } from "three";
import { expect, test } from "vitest";
import { PLAIN } from "../src/environment.ts";
import { Environment } from "../src/stoa-environment.ts";
import { stubAFrame, stubEntity, stubScene } from "./stub-aframe.ts";

function environment() {
  const scene = stubScene();
  const el = stubEntity(scene);
  const fog = () => (scene.object3D instanceof Scene ? scene.object3D.fog : undefined);
  return { el, fog, environment: new Environment(stubAFrame(), el) };
}

test("the plain surroundings are a sky alone", () => {
  const { el, fog, environment: surroundings } = environment();
  surroundings.update(PLAIN);
  expect(el.object3D.children[0]?.children.length).toBe(1);
  expect(fog()).toBeNull();
});

test("ground and fog come and go with the settings, and remove takes all away", () => {
  const { el, fog, environment: surroundings } = environment();
  surroundings.update({ ...PLAIN, ground: "#335533", fog: 0.5 });
  expect(el.object3D.children[0]?.children.length).toBe(2);
  expect(fog()).not.toBeNull();
  surroundings.update(PLAIN);
  expect(el.object3D.children.length).toBe(1);
  expect(fog()).toBeNull();
  surroundings.remove();
  expect(el.object3D.children.length).toBe(0);
});
