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

test("an object is where the motion plane says, between what it said", () => {
  const { motion, lamp, objects } = moved();
  motion.move("object", "lamp", 0, [1, 0, 0, 0, 1, 0, 0]);
  motion.move("object", "lamp", 100, [2, 0, 0, 0, 1, 0, 0]);
  motion.move("object", "nothing", 0, [9, 0, 0, 0, 1, 0, 0]);
  motion.move("head", "lamp", 0, [9, 0, 0, 0, 1, 0, 0]);
  objects.tick(150);
  expect(lamp.position.x).toBeCloseTo(1.5, 5);
  expect(lamp.quaternion.y).toBeCloseTo(1, 5);
});

test("one that nobody moves any more stays, and a message may move it", () => {
  const { motion, lamp, objects } = moved();
  motion.move("object", "lamp", 0, [1, 0, 0, 0, 0, 0, 1]);
  objects.tick(200);
  motion.lose("object", "lamp");
  lamp.position.x = 5;
  objects.tick(300);
  expect(lamp.position.x).toBe(5);
});

test("one that is let go on its way gets to where it was last, and no farther", () => {
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

test("one that rests and is let go stands where it was last, not where it would have got to", () => {
  const { motion, lamp, objects } = moved();
  motion.move("object", "lamp", 0, [1, 0, 0, 0, 0, 0, 1]);
  motion.move("object", "lamp", 100, [2, 0, 0, 0, 0, 0, 1]);
  objects.tick(300);
  expect(lamp.position.x, "negative control: it went on without news").toBeCloseTo(3, 5);
  motion.lose("object", "lamp");
  objects.tick(310);
  expect(lamp.position.x).toBe(2);
});

test("a message moves what was let go, though its way was not over", () => {
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
