import * as THREE from "three";
import { expect, test } from "vitest";
import { LOCOMOTION, LocomotionBehaviour } from "../../src/locomotion/stoa-locomotion.ts";
import { TeleportBehaviour } from "../../src/locomotion/stoa-teleport.ts";
import type { PointerBehaviour } from "../../src/pressing/stoa-pointer.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

const LEVEL = new THREE.Ray(new THREE.Vector3(0, 1.4, 3), new THREE.Vector3(0, 0, -1));
const UP = new THREE.Ray(new THREE.Vector3(0, 1.4, 3), new THREE.Vector3(0, 1, 0));

function rig() {
  const scene = stubScene();
  const el = stubEntity(scene);
  el.object3D.position.set(0, 0, 3);
  if (scene.camera) el.object3D.add(scene.camera);
  scene.camera?.position.set(0, 1.6, 0);
  const locomotion = new LocomotionBehaviour(stubAFrame(), el);
  locomotion.update(LOCOMOTION);
  const clock = { ms: 0 };
  const teleport = new TeleportBehaviour(stubAFrame(), el, () => clock.ms);
  teleport.locomotion = locomotion;
  return { scene, el, teleport, clock };
}

test("an arc released over a floor places the user's eyes above its end", () => {
  const { scene, el, teleport } = rig();
  scene.camera?.position.set(0.5, 1.6, 0);
  const drag = teleport.take(LEVEL);
  expect(teleport.landing).toBe(true);
  drag.end();
  expect(teleport.landing).toBeNull();
  expect(el.object3D.position.x).toBeCloseTo(-0.5, 5);
  expect(el.object3D.position.y).toBe(0);
  expect(el.object3D.position.z).toBeLessThan(0);
});

test("a tap on the floor teleports; a look around, a long press and a tap at the sky don't", () => {
  const down = new THREE.Ray(new THREE.Vector3(0, 1.6, 3), new THREE.Vector3(0, -1, -1).normalize());
  const pressed = (ray: THREE.Ray, ms: number, turned = 0) => {
    const { el, teleport, clock } = rig();
    const drag = teleport.tap(ray);
    const moved = ray.clone();
    moved.direction.applyAxisAngle(new THREE.Vector3(0, 1, 0), turned);
    drag.move(moved);
    clock.ms = ms;
    drag.end();
    return el.object3D.position.z;
  };
  expect(pressed(down, 200)).toBeCloseTo(1.4, 1);
  expect([pressed(down, 900), pressed(down, 200, 0.2), pressed(UP, 200)]).toEqual([3, 3, 3]);
});

test("an arc released without locomotion doesn't move the user", () => {
  const { el, teleport } = rig();
  const drag = teleport.take(LEVEL);
  teleport.locomotion = null;
  drag.end();
  expect(el.object3D.position.z).toBe(3);
});

test("pushing the right stick forward shows the arc and releasing it teleports, except while flying", () => {
  const { scene, el, teleport } = rig();
  const axes = [0, 0, 0, -1];
  Object.assign(scene, { xrSession: { inputSources: [{ handedness: "right", gamepad: { axes } }] } });
  const pointer: Pick<PointerBehaviour, "rayOf"> = { rayOf: (_side, ray) => Boolean(ray.copy(LEVEL)) };
  teleport.pointer = pointer as PointerBehaviour;
  teleport.tick();
  expect(teleport.landing).toBe(true);
  axes[3] = 0;
  teleport.tick();
  expect(el.object3D.position.z).toBeLessThan(0);
  teleport.isFlying = true;
  axes[3] = -1;
  teleport.tick();
  expect(teleport.landing, "who flies has the stick for that").toBeNull();
});

test("an arc straight up lands at the user's own position", () => {
  const { teleport, el } = rig();
  teleport.take(UP).end();
  expect(el.object3D.position.z).toBeCloseTo(3, 5);
});

test("after remove the arc is out of the scene", () => {
  const { scene, teleport } = rig();
  const before = scene.object3D.children.length;
  teleport.take(LEVEL);
  expect(scene.object3D.children.length, "negative control").toBe(before + 1);
  teleport.remove();
  expect(scene.object3D.children.length).toBe(before);
});
