import { Group } from "three";
import { expect, test } from "vitest";
import { SubmodelParentBehaviour } from "../../src/drawing/stoa-submodel.ts";
import { stubEntity, stubScene } from "../stub-aframe.ts";

function submodel() {
  const scene = stubScene();
  const [robot, cup] = [stubEntity(scene, "robot"), stubEntity(scene, "cup")];
  robot.object3D.add(cup.object3D);
  const hand = Object.assign(new Group(), { name: "hand" });
  const one = new SubmodelParentBehaviour(cup);
  one.update({ part: "hand" });
  const parent = () => cup.object3D.parent;
  return { robot, cup, hand, one, parent, model: new Group().add(hand) };
}

test("an object is attached to the model's part while the model is shown, and else to its parent", () => {
  const { robot, hand, one, parent, model } = submodel();
  one.tick(0);
  expect(parent()).toBe(robot.object3D);
  robot.setObject3D("mesh", model);
  one.tick(500);
  expect(parent(), "searched too often").toBe(robot.object3D);
  one.tick(1_000);
  expect(parent()).toBe(hand);
  robot.removeObject3D("mesh");
  one.tick(1_010);
  expect(parent()).toBe(robot.object3D);
});

test("remove attaches the object to its parent again", () => {
  const { robot, one, parent, model } = submodel();
  robot.setObject3D("mesh", model);
  one.tick(0);
  one.remove();
  expect(parent()).toBe(robot.object3D);
});
