import * as THREE from "three";
import { expect, test } from "vitest";
import type { GrabEvent } from "../../src/physics/grabbed-bodies.ts";
import { GrabBehaviour, HOLD } from "../../src/physics/stoa-grab.ts";
import { stubAFrame, stubBox, stubScene } from "../stub-aframe.ts";

const NO_HAND = () => false;

function ball() {
  const scene = stubScene();
  const el = stubBox(scene, "ball", [0, 1, -3]);
  const clock = { ms: 0 };
  const said: GrabEvent[] = [];
  el.addEventListener(HOLD, (event) => event instanceof CustomEvent && said.push(event.detail));
  const grab = new GrabBehaviour(stubAFrame(), el, () => clock.ms);
  const last = () => [...(said.at(-1)?.pose ?? [])].map((value) => Math.round(value * 1_000) / 1_000 || 0);
  return { grab, clock, said, last };
}

const ray = (x: number, y: number, z: number) =>
  new THREE.Ray(new THREE.Vector3(0, 1, 0), new THREE.Vector3(x, y, z).normalize());

test("a body dragged by the mouse keeps its distance and its offset from the grab point", () => {
  const { grab, clock, said, last } = ball();
  // The visible side is half a metre nearer than the centre.
  const drag = grab.take(ray(0, 0, -1), new THREE.Vector3(0, 1, -2.5), NO_HAND);
  expect([said[0]?.phase, last()]).toEqual(["start", [0, 1, -3, 0, 0, 0, 1]]);
  clock.ms = 150;
  drag.move(ray(1, 0, 0));
  expect([said[1]?.phase, last()]).toEqual(["move", [2.5, 1, -0.5, 0, 0, 0, 1]]);
  clock.ms = 200;
  drag.move(ray(1, 0, 0));
  expect(said.length, "no more often than ten times a second").toBe(2);
  clock.ms = 2_000;
  drag.end();
  expect(said[2]).toMatchObject({ phase: "end", objectId: "ball", velocity: { x: 0, y: 0, z: 0 } });
});

test("a motionless grabbed body is reported ten times a second until its release", () => {
  const { grab, clock, said, last } = ball();
  const drag = grab.take(ray(0, 0, -1), new THREE.Vector3(0, 1, -2.5), NO_HAND);
  for (clock.ms = 20; clock.ms < 1_000; clock.ms += 20) grab.tick();
  expect([said.length, last()]).toEqual([10, [0, 1, -3, 0, 0, 0, 1]]);
  drag.end();
  clock.ms = 2_000;
  grab.tick();
  expect(said.at(-1)?.phase).toBe("end");
});

test("a body grabbed by a hand moves and turns with the hand", () => {
  const { grab, clock, last } = ball();
  const hand = { position: new THREE.Vector3(0, 1, -2), rotation: new THREE.Quaternion() };
  const drag = grab.take(ray(0, 0, -1), new THREE.Vector3(0, 1, -2.5), (position, rotation) => {
    position.copy(hand.position);
    rotation.copy(hand.rotation);
    return true;
  });
  clock.ms = 150;
  hand.position.set(5, 1, 0);
  hand.rotation.setFromAxisAngle(new THREE.Vector3(0, 1, 0), Math.PI);
  drag.move(ray(0, 0, -1));
  expect(last()).toEqual([5, 1, 1, 0, 1, 0, 0]);
});

test("releasing a moving body throws it", () => {
  const { grab, clock, said } = ball();
  const drag = grab.take(ray(0, 0, -1), new THREE.Vector3(0, 1, -2.5), NO_HAND);
  for (let at = 1; at <= 10; at += 1) {
    clock.ms = at * 20;
    drag.move(new THREE.Ray(new THREE.Vector3(at * 0.1, 1, 0), new THREE.Vector3(0, 0, -1)));
  }
  drag.end();
  expect(said.at(-1)?.velocity.x).toBeCloseTo(5, 1);
});
