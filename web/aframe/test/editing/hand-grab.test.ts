import { Group, Quaternion, Vector3 } from "three";
import { expect, test } from "vitest";
import { SelectionGrab } from "../../src/editing/hand-grab.ts";
import { stubAFrame, stubBox, stubScene } from "../stub-aframe.ts";

function hand(x: number, y: number, z: number): Group {
  const space = new Group();
  space.position.set(x, y, z);
  return space;
}

function held(place: readonly [number, number, number] = [0, 1, -1]) {
  const scene = stubScene();
  const box = stubBox(scene, "box", place);
  return { box, object: box.object3D, grab: new SelectionGrab(stubAFrame(), [box]) };
}

const rounded = ({ x, y, z }: Vector3) => [x, y, z].map((part) => Math.round(part * 1_000) / 1_000 || 0);

test("one hand moves and rotates the grabbed object", () => {
  const { object, grab } = held();
  const right = hand(0, 1, 0);
  expect(grab.hold(right)).toBe(true);
  right.position.set(0.5, 1.2, 0);
  grab.move();
  expect(rounded(object.position)).toEqual([0.5, 1.2, -1]);
  right.quaternion.setFromAxisAngle(new Vector3(0, 1, 0), Math.PI / 2);
  grab.move();
  expect(rounded(object.position), "it hangs on the hand as on a stick").toEqual([-0.5, 1.2, 0]);
  expect(object.quaternion.angleTo(right.quaternion)).toBeCloseTo(0);
  expect(rounded(object.scale)).toEqual([1, 1, 1]);
  expect(grab.wasSized).toBe(false);
  expect(grab.release(right)).toBe(true);
});

test("two hands scale and rotate the grabbed object", () => {
  const { object, grab } = held([0, 1, 0]);
  const [left, right, third] = [hand(-0.2, 1, 0), hand(0.2, 1, 0), hand(0, 0, 0)];
  grab.hold(left);
  grab.hold(right);
  expect(grab.hold(third)).toBe(false);
  left.position.x = -0.4;
  right.position.x = 0.4;
  grab.move();
  expect(rounded(object.scale)).toEqual([2, 2, 2]);
  expect(rounded(object.position)).toEqual([0, 1, 0]);
  left.position.set(0, 1, 0.4);
  right.position.set(0, 1, -0.4);
  grab.move();
  expect(object.quaternion.angleTo(new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), Math.PI / 2))).toBeCloseTo(
    0,
  );
  expect(grab.wasSized).toBe(true);
});

test("an object released by one of two hands keeps its pose and size in the other hand", () => {
  const { object, grab } = held([0, 1, 0]);
  const [left, right] = [hand(-0.2, 1, 0), hand(0.2, 1, 0)];
  grab.hold(left);
  grab.hold(right);
  right.position.x = 0.6;
  grab.move();
  const before = [...rounded(object.position), ...rounded(object.scale)];
  expect(grab.release(right)).toBe(false);
  right.position.x = 5;
  grab.move();
  expect([...rounded(object.position), ...rounded(object.scale)]).toEqual(before);
  left.position.y = 2;
  grab.move();
  expect(rounded(object.position)[1]).toBe(2);
});

test("a grabbed child object follows the hand in the scene's space", () => {
  const scene = stubScene();
  const shelf = stubBox(scene, "shelf", [3, 0, 0]);
  const cup = stubBox(scene, "cup", [0, 1, 0]);
  shelf.object3D.add(cup.object3D);
  shelf.object3D.scale.setScalar(2);
  const grab = new SelectionGrab(stubAFrame(), [cup]);
  const right = hand(0, 0, 0);
  grab.hold(right);
  right.position.x = 1;
  grab.move();
  expect(rounded(cup.object3D.position)).toEqual([0.5, 1, 0]);
  expect(rounded(cup.object3D.scale)).toEqual([1, 1, 1]);
});

test("a grabbed object snaps to the grid", () => {
  const { object, grab } = held();
  const right = hand(0, 0, 0);
  grab.hold(right);
  right.position.set(0.4, 0.1, 0);
  grab.move(0.25);
  expect(rounded(object.position)).toEqual([0.5, 1, -1]);
});

test("vertically aligned hands scale an object to finite values", () => {
  const { object, grab } = held([0, 1, 0]);
  const [low, high] = [hand(0, 0.5, 0), hand(0, 1.5, 0)];
  grab.hold(low);
  grab.hold(high);
  high.position.y = 2.5;
  grab.move();
  expect([...rounded(object.scale), ...rounded(object.position)].every(Number.isFinite)).toBe(true);
  expect(rounded(object.scale)).toEqual([2, 2, 2]);
});
