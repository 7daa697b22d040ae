import { Group, Vector3 } from "three";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PeopleView } from "../src/people-view.ts";
import { MotionDelay } from "../src/track.ts";
import { FakeMotion } from "./fake-session.ts";
import { stubEntity, stubScene } from "./stub-aframe.ts";

// Entities made by the view get three.js's part here, as A-Frame would give it.
const create = document.createElement.bind(document);
beforeEach(() => {
  vi.spyOn(document, "createElement").mockImplementation((tag: string) =>
    Object.assign(create(tag), { object3D: new Group(), getObject3D: () => undefined }),
  );
});
afterEach(() => vi.restoreAllMocks());

test("whoever comes onto the motion plane before the first render frame is somewhere", () => {
  const motion = new FakeMotion();
  const people = new PeopleView({
    root: stubEntity(stubScene()),
    base: "https://realm.local/",
    now: () => 10_000,
    motion,
    delay: new MotionDelay(),
    onAdded: () => undefined,
  });
  people.apply({
    idTag: "ada_1",
    userClient: "ada_1_web",
    displayName: "Ada",
    color: "#ff0000",
    headModelPath: "",
    pose: { position: [1, 1.6, 0], rotation: [0, 0, 0, 1] },
    hands: {},
  });
  motion.move("head", "ada_1", 10_010, [2, 1.6, 0, 0, 0, 0, 1]);
  motion.move("head", "ada_1", 10_060, [3, 1.6, 0, 0, 0, 0, 1]);
  people.tick(10_016, new Vector3());
  const shown = new Float64Array(7);
  people.distant[0]?.head.sample(10_100, shown);
  expect([...shown].every(Number.isFinite), `${shown}`).toBe(true);
  expect(shown[0], "on its way from where it was").toBeGreaterThan(0.9);
  people.dispose();
});
