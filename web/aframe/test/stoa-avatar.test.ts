import { expect, test } from "vitest";
import { Avatar } from "../src/stoa-avatar.ts";
import { stubAFrame, stubEntity, stubScene } from "./stub-aframe.ts";

const pose = (x: number) => ({ position: [x, 1.6, 0], rotation: [0, 0, 0, 1] }) as const;

function avatar() {
  const clock = { ms: 0 };
  const el = stubEntity(stubScene());
  return { clock, el, avatar: new Avatar(stubAFrame(), el, () => clock.ms) };
}

test("a person is hidden until it is known where it is", () => {
  const { el, avatar: head } = avatar();
  expect(el.object3D.visible).toBe(false);
  head.push(pose(1));
  head.tick();
  expect(el.object3D.visible).toBe(true);
  expect(el.object3D.position.x).toBe(1);
});

test("a head moves between the places that were told", () => {
  const { clock, el, avatar: head } = avatar();
  head.push(pose(0));
  clock.ms = 100;
  head.push(pose(1));
  clock.ms = 200;
  head.tick();
  expect(el.object3D.position.x).toBeCloseTo(0.5, 5);
});

test("a change of colour replaces the head, and remove takes all away", () => {
  const { el, avatar: head } = avatar();
  head.update({ name: "Ann", color: "#ff0000", model: "" });
  const before = el.object3D.children.length;
  head.update({ name: "Ann", color: "no colour", model: "" });
  expect(el.object3D.children.length).toBe(before);
  head.remove();
  expect(el.object3D.children.length).toBe(0);
});

test("a model of its own is one entity, which goes with it", () => {
  const { el, avatar: head } = avatar();
  head.update({ name: "Ann", color: "#ff0000", model: "https://realm.local/store/head.glb" });
  expect(el.querySelectorAll("a-entity").length).toBe(1);
  head.remove();
  expect(el.querySelectorAll("a-entity").length).toBe(0);
});
