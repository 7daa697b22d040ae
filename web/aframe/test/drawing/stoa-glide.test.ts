import { Object3D, Quaternion, Vector3 } from "three";
import { expect, test } from "vitest";
import { SceneGlideBehaviour } from "../../src/drawing/stoa-glide.ts";

function gliding() {
  const clock = { ms: 0 };
  const glide = new SceneGlideBehaviour(() => clock.ms);
  const object = new Object3D();
  const put = (x: number) => glide.smooth(object, () => object.position.setX(x));
  const at = (ms: number) => {
    clock.ms = ms;
    glide.tick();
    return object.position.x;
  };
  return { clock, glide, object, put, at };
}

test("a move takes 100 ms instead of a jump", () => {
  const { object, put, at } = gliding();
  put(1);
  expect(object.position.x).toBe(0);
  expect(at(50)).toBeCloseTo(0.5, 5);
  expect(at(100)).toBe(1);
  expect(at(500)).toBe(1);
});

test("a second move goes on from where the first one is", () => {
  const { put, at } = gliding();
  put(1);
  at(50);
  put(2);
  expect(at(50)).toBeCloseTo(0.5, 5);
  expect(at(150)).toBe(2);
});

test("a rotation during a move does not end the move", () => {
  const { glide, object, put, at } = gliding();
  const quarter = new Quaternion().setFromAxisAngle(new Vector3(0, 1, 0), Math.PI / 2);
  put(1);
  at(50);
  glide.smooth(object, () => object.quaternion.copy(quarter));
  expect(at(150)).toBe(1);
  expect(object.quaternion.angleTo(quarter)).toBeCloseTo(0, 3);
});

test("a change of something else leaves the move as it is", () => {
  const { glide, object, put, at } = gliding();
  put(1);
  at(50);
  glide.smooth(object, () => undefined);
  expect(at(100)).toBe(1);
});

test("a move over a long distance is a jump", () => {
  const { object, put } = gliding();
  put(10);
  expect(object.position.x).toBe(10);
});

test("a stopped glide no longer moves its object", () => {
  const { glide, object, put, at } = gliding();
  put(1);
  at(50);
  glide.stop(object);
  object.position.setX(3);
  expect(at(100)).toBe(3);
});
