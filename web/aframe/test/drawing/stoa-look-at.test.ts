import { Vector3 } from "three";
import { expect, test } from "vitest";
import { LookAtBehaviour } from "../../src/drawing/stoa-look-at.ts";
import { stubAFrame, stubBox, stubEntity, stubScene } from "../stub-aframe.ts";

const origin = { x: 0, y: 0, z: 0 };

function facing(object: { getWorldDirection(into: Vector3): Vector3 }): number[] {
  return object.getWorldDirection(new Vector3()).toArray();
}

test("an object faces a point", () => {
  const el = stubEntity(stubScene());
  const look = new LookAtBehaviour(stubAFrame(), el);
  look.update({ target: "", point: { x: 5, y: 0, z: 0 } });
  look.tick(0);
  expect(facing(el.object3D)).toEqual([expect.closeTo(1), expect.closeTo(0), expect.closeTo(0)]);
});

test("an object faces another one, also one that comes later", () => {
  const scene = stubScene();
  const el = stubEntity(scene);
  const look = new LookAtBehaviour(stubAFrame(), el);
  look.update({ target: "late", point: origin });
  look.tick(0);
  stubBox(scene, "late", [-5, 0, 0]);
  look.tick(500);
  expect(facing(el.object3D)[0], "it is looked for once a second").toBeCloseTo(0);
  look.tick(1_001);
  expect(facing(el.object3D)[0]).toBeCloseTo(-1);
});

test("an object keeps its rotation after remove", () => {
  const el = stubEntity(stubScene());
  const look = new LookAtBehaviour(stubAFrame(), el);
  look.update({ target: "", point: { x: 5, y: 0, z: 0 } });
  look.remove();
  look.tick(0);
  expect(facing(el.object3D)[0]).toBeCloseTo(0);
});
