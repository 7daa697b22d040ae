import { Scene } from "three";
import { expect, test } from "vitest";
import { PLAIN, surroundingsOf } from "../../src/surroundings/environment.ts";
import { EnvironmentBehaviour } from "../../src/surroundings/stoa-environment.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

function environment() {
  const scene = stubScene();
  const el = stubEntity(scene);
  const fog = () => (scene.object3D instanceof Scene ? scene.object3D.fog : undefined);
  return { scene, el, fog, environment: new EnvironmentBehaviour(stubAFrame(), el) };
}

test("the plain surroundings have no ground, light or fog", () => {
  const { el, fog, environment: surroundings } = environment();
  surroundings.update({ surroundings: PLAIN });
  expect(el.querySelector("a-entity")).toBeNull();
  expect(surroundings.heightAt(0, 0)).toBeNull();
  expect(fog()).toBeNull();
});

test("ground, light and fog come and go with the settings, and remove takes all away", () => {
  const { el, fog, environment: surroundings } = environment();
  surroundings.update({ surroundings: surroundingsOf({ preset: "forest" }) });
  expect(el.querySelectorAll("a-entity").length).toBe(2);
  expect(surroundings.heightAt(0, 0)).toBe(0);
  expect(fog()).not.toBeNull();
  surroundings.update({ surroundings: PLAIN });
  expect(el.object3D.children.length).toBe(1);
  expect(el.querySelector("a-entity")).toBeNull();
  expect(fog()).toBeNull();
  surroundings.remove();
  expect(el.object3D.children.length).toBe(0);
});

test("the surroundings are hidden in AR, unless hideInAR is off", () => {
  const { scene, el, fog, environment: surroundings } = environment();
  const states = Object.getOwnPropertyDescriptor(scene, "states")?.value;
  surroundings.update({ surroundings: surroundingsOf({ preset: "forest" }) });
  states.add("ar-mode");
  scene.emit("enter-vr");
  expect([el.getObject3D("stoa-surroundings")?.visible, fog()]).toEqual([false, null]);
  states.delete("ar-mode");
  scene.emit("exit-vr");
  expect(el.getObject3D("stoa-surroundings")?.visible).toBe(true);
  states.add("ar-mode");
  surroundings.update({ surroundings: surroundingsOf({ preset: "forest", hideInAR: false }) });
  expect(el.getObject3D("stoa-surroundings")?.visible).toBe(true);
});

test("A-Frame's default lights return when the surroundings lose their last light", () => {
  const { scene, environment: surroundings } = environment();
  let lit = 0;
  Object.assign(scene, { systems: { light: { userDefinedLights: true, setupDefaultLights: () => (lit += 1) } } });
  surroundings.update({ surroundings: surroundingsOf({ preset: "forest" }) });
  expect(lit).toBe(0);
  surroundings.update({ surroundings: PLAIN });
  expect(lit).toBe(1);
});
