import { Group } from "three";
import { expect, test } from "vitest";
import { MovedObjects } from "../../src/people/moved-objects.ts";
import { MotionDelay } from "../../src/people/track.ts";
import { FakeMotion } from "../fake-session.ts";

function moved() {
  const motion = new FakeMotion();
  const lamp = new Group();
  const objects = new MovedObjects({
    now: () => 0,
    motion,
    delay: new MotionDelay(),
    find: (objectId) => (objectId === "lamp" ? lamp : null),
  });
  return { motion, lamp, objects };
}

test("an object is interpolated between its poses on the motion plane", () => {
  const { motion, lamp, objects } = moved();
  motion.move("object", "lamp", 0, [1, 0, 0, 0, 1, 0, 0]);
  motion.move("object", "lamp", 100, [2, 0, 0, 0, 1, 0, 0]);
  motion.move("object", "nothing", 0, [9, 0, 0, 0, 1, 0, 0]);
  motion.move("head", "lamp", 0, [9, 0, 0, 0, 1, 0, 0]);
  objects.tick(150);
  expect(lamp.position.x).toBeCloseTo(1.5, 5);
  expect(lamp.quaternion.y).toBeCloseTo(1, 5);
});

test("an object released at rest keeps the position that a message sets", () => {
  const { motion, lamp, objects } = moved();
  motion.move("object", "lamp", 0, [1, 0, 0, 0, 0, 0, 1]);
  objects.tick(200);
  motion.lose("object", "lamp");
  lamp.position.x = 5;
  objects.tick(300);
  expect(lamp.position.x).toBe(5);
});

test("an object released in motion reaches its last pose and no farther", () => {
  const { motion, lamp, objects } = moved();
  motion.move("object", "lamp", 0, [1, 0, 0, 0, 0, 0, 1]);
  motion.move("object", "lamp", 100, [2, 0, 0, 0, 1, 0, 0]);
  objects.tick(120);
  expect(lamp.position.x, "negative control: it is on its way").toBeCloseTo(1.2, 5);
  motion.lose("object", "lamp");
  objects.tick(150);
  expect(lamp.position.x, "what was told is played").toBeCloseTo(1.5, 5);
  objects.tick(260);
  objects.tick(400);
  expect([lamp.position.x, lamp.quaternion.y]).toEqual([2, 1]);
});

test("an extrapolated object returns to its last pose when it is released", () => {
  const { motion, lamp, objects } = moved();
  motion.move("object", "lamp", 0, [1, 0, 0, 0, 0, 0, 1]);
  motion.move("object", "lamp", 100, [2, 0, 0, 0, 0, 0, 1]);
  objects.tick(300);
  expect(lamp.position.x, "negative control: it went on without news").toBeCloseTo(3, 5);
  motion.lose("object", "lamp");
  objects.tick(310);
  expect(lamp.position.x).toBe(2);
});

test("a message overrides the remaining motion of a released object", () => {
  const { motion, lamp, objects } = moved();
  motion.move("object", "lamp", 0, [1, 0, 0, 0, 0, 0, 1]);
  motion.move("object", "lamp", 100, [2, 0, 0, 0, 0, 0, 1]);
  objects.tick(120);
  motion.lose("object", "lamp");
  lamp.position.x = 5;
  for (const now of [130, 300]) objects.tick(now);
  expect(lamp.position.x).toBe(5);
});

test("dispose stops listening", () => {
  const { motion, objects } = moved();
  expect(motion.listening, "negative control").toBe(1);
  objects.dispose();
  expect(motion.listening).toBe(0);
});
