import { Vector3 } from "three";
import { expect, test } from "vitest";
import { Avatar, nameHeight } from "../src/stoa-avatar.ts";
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

test("eyes and nose are in front, where the head looks", () => {
  const { el, avatar: head } = avatar();
  head.update({ name: "Ann", color: "#336699", model: "" });
  const parts = el.getObject3D("stoa-head")?.children ?? [];
  const inFront = parts.filter(({ position }) => position.z < -0.1);
  expect(inFront.length).toBe(5);
});

test("whoever looks down keeps the body upright below, turned as the head is", () => {
  const { el, avatar: head } = avatar();
  head.update({ name: "Ann", color: "#336699", model: "" });
  // Yaw by 90 degrees, then down by 45.
  const [yaw, pitch] = [Math.PI / 4, -Math.PI / 8];
  const rotation = [
    Math.cos(yaw) * Math.sin(pitch),
    Math.sin(yaw) * Math.cos(pitch),
    -Math.sin(yaw) * Math.sin(pitch),
    Math.cos(yaw) * Math.cos(pitch),
  ] as const;
  head.push({ position: [1, 1.6, 0], rotation });
  head.tick();
  el.object3D.updateMatrixWorld(true);
  const body = el.getObject3D("stoa-body");
  const up = new Vector3(0, 1, 0).transformDirection(body?.matrixWorld ?? el.object3D.matrixWorld);
  const ahead = new Vector3(0, 0, -1).transformDirection(body?.matrixWorld ?? el.object3D.matrixWorld);
  expect(up.y).toBeCloseTo(1, 5);
  expect(ahead.x).toBeCloseTo(-1, 5);
});

test("a name grows with the distance, within bounds", () => {
  expect(nameHeight(1)).toBe(0.16);
  expect(nameHeight(6)).toBeCloseTo(0.33, 5);
  expect(nameHeight(100)).toBe(0.8);
});
