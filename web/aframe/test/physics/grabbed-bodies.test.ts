import { expect, test } from "vitest";
import { HOLD_SILENCE_MS, THROWN_M_PER_S_MAX } from "../../src/limits.ts";
import { GrabbedBodies, type GrabEvent, grabEventOf } from "../../src/physics/grabbed-bodies.ts";

const AT = { position: { x: 1, y: 2, z: 3 }, rotation: { x: 0, y: 0, z: 0, w: 1 } };

function news(phase: GrabEvent["phase"], more: Record<string, unknown> = {}): GrabEvent {
  const type = { start: "physx-grabstart", move: "physx-grabmove", end: "physx-grabend" }[phase];
  const found = grabEventOf(type, "ball", { ...AT, ...more });
  if (found === null) throw new Error("it says nothing");
  return found;
}

const held = (bodies: GrabbedBodies): string[] => [...bodies.entries].map(([objectId]) => objectId);

test("a grab event is parsed into body and pose; invalid and other events are ignored", () => {
  expect([...news("start").pose]).toEqual([1, 2, 3, 0, 0, 0, 1]);
  expect(grabEventOf("mousedown", "ball", AT)).toBeNull();
  expect(grabEventOf("physx-grabmove", "ball", { position: { x: Number.NaN, y: 0, z: 0 } })).toBeNull();
  expect(grabEventOf("physx-grabmove", "ball", { ...AT, rotation: { x: 0, y: 0, z: 0, w: 0 } })).toBeNull();
});

test("a body stays with its first holder until that holder releases it", () => {
  const bodies = new GrabbedBodies();
  bodies.handle(news("start"), "ada", 0);
  bodies.handle(news("move", { position: { x: 9, y: 9, z: 9 } }), "bo", 10);
  expect([...bodies.entries][0]?.[1].pose[0], "Bo's hand counts for nothing").toBe(1);
  expect(bodies.handle(news("end"), "bo", 20)).toBeNull();
  const letGo = bodies.handle(news("end", { velocity: { x: 1, y: 0, z: 0 } }), "ada", 30);
  expect(letGo).toEqual({ objectId: "ball", velocity: { x: 1, y: 0, z: 0 } });
  expect(held(bodies)).toEqual([]);
  expect(bodies.handle(news("end"), "ada", 40), "it isn't held").toBeNull();
});

test("the velocity of a throw is limited", () => {
  const { velocity } = news("end", { velocity: { x: 1e6, y: 0, z: 0 } });
  expect(velocity).toEqual({ x: THROWN_M_PER_S_MAX, y: 0, z: 0 });
});

test("a body is released after a second without events from its holder", () => {
  const bodies = new GrabbedBodies();
  bodies.handle(news("start"), "ada", 0);
  expect(bodies.handleTime(HOLD_SILENCE_MS - 1)).toEqual([]);
  bodies.handle(news("move"), "ada", HOLD_SILENCE_MS - 1);
  expect(bodies.handleTime(HOLD_SILENCE_MS + 100)).toEqual([]);
  expect(bodies.handleTime(2 * HOLD_SILENCE_MS)).toEqual([{ objectId: "ball", velocity: { x: 0, y: 0, z: 0 } }]);
  expect(held(bodies)).toEqual([]);
});
