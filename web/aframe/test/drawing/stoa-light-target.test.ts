import * as THREE from "three";
import { expect, test } from "vitest";
import { LightTargetBehaviour } from "../../src/drawing/stoa-light-target.ts";
import { stubAFrame, stubBox, stubEntity, stubScene } from "../stub-aframe.ts";

test("a light points at its target object once that exists, and at its old target after remove", () => {
  const scene = stubScene();
  const el = stubEntity(scene, "lamp");
  const light = new THREE.SpotLight();
  const before = light.target;
  el.setObject3D("light", light);
  const target = new LightTargetBehaviour(stubAFrame(), el);
  target.update({ target: "stage" });
  target.tick(0);
  expect(light.target).toBe(before);
  const stage = stubBox(scene, "stage", [0, 0, -3]);
  target.tick(5_000);
  expect(light.target).toBe(stage.object3D);
  target.remove();
  expect(light.target).toBe(before);
});
