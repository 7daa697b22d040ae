import { expect, test } from "vitest";
import { OpenGround } from "../../src/locomotion/floor.ts";
import { LOCOMOTION, LocomotionBehaviour, type LocomotionSettings } from "../../src/locomotion/stoa-locomotion.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

function rig(settings: Partial<LocomotionSettings> = {}) {
  const scene = stubScene();
  const el = stubEntity(scene);
  // The camera is a child of the rig, which is 3 m in front of the origin.
  el.object3D.position.set(0, 0, 3);
  if (scene.camera) el.object3D.add(scene.camera);
  scene.camera?.position.set(0, 1.6, 0);
  const locomotion = new LocomotionBehaviour(stubAFrame(), el);
  locomotion.update({ ...LOCOMOTION, ...settings });
  return { scene, el, locomotion };
}

const key = (type: string, code: string, target: EventTarget = window, shiftKey = false) =>
  target.dispatchEvent(new KeyboardEvent(type, { code, shiftKey, bubbles: true }));

test("W walks forward at the speed that was set until it is let go", () => {
  const { el, locomotion } = rig();
  key("keydown", "KeyW");
  locomotion.tick(0, 50);
  expect(el.object3D.position.z).toBeCloseTo(2.85, 5);
  key("keyup", "KeyW");
  locomotion.tick(0, 50);
  expect(el.object3D.position.z).toBeCloseTo(2.85, 5);
});

test("two keys at once are no faster than one", () => {
  const { el, locomotion } = rig();
  key("keydown", "ArrowUp");
  key("keydown", "KeyD");
  locomotion.tick(0, 100);
  expect(Math.hypot(el.object3D.position.x, el.object3D.position.z - 3)).toBeCloseTo(0.3, 5);
});

test("forward is where the camera looks, over the ground", () => {
  const { scene, el, locomotion } = rig();
  scene.camera?.rotation.set(0, Math.PI / 2, 0);
  scene.camera?.updateMatrixWorld();
  locomotion.setMove(0, -1);
  locomotion.tick(0, 100);
  expect(el.object3D.position.x).toBeCloseTo(-0.3, 5);
  expect(el.object3D.position.y).toBe(0);
});

test("letters typed into a field don't walk", () => {
  const { el, locomotion } = rig();
  const field = document.body.appendChild(document.createElement("input"));
  key("keydown", "KeyW", field);
  locomotion.tick(0, 100);
  expect(el.object3D.position.toArray()).toEqual([0, 0, 3]);
});

test("without letter keys the arrows walk, Shift with an arrow turns, and the page keys rise", () => {
  const { el, locomotion } = rig({ letterKeys: false, fly: true });
  for (const code of ["KeyW", "KeyA", "KeyS", "KeyD", "KeyQ", "KeyE", "KeyR", "KeyF"]) {
    key("keydown", code);
    locomotion.tick(0, 100);
    key("keyup", code);
    expect([...el.object3D.position.toArray(), el.object3D.rotation.y], code).toEqual([0, 0, 3, 0]);
  }
  key("keydown", "ArrowUp");
  key("keydown", "PageUp");
  locomotion.tick(0, 100);
  key("keyup", "ArrowUp");
  key("keyup", "PageUp");
  const [, y, z] = el.object3D.position.toArray();
  expect([y > 0, z < 3]).toEqual([true, true]);
  key("keydown", "ArrowRight", window, true);
  locomotion.tick(0, 100);
  key("keyup", "ArrowRight");
  locomotion.tick(0, 100);
  expect(el.object3D.rotation.y, "once").toBeCloseTo(-Math.PI / 6, 5);
  expect(el.object3D.position.toArray()[1], "and no more").toBe(y);
});

test("pad input and frame time are clamped, and NaN is ignored", () => {
  const { el, locomotion } = rig();
  locomotion.setMove(0, -50);
  locomotion.tick(0, 10_000);
  expect(el.object3D.position.z).toBeCloseTo(2.7, 5);
  locomotion.setMove(Number.NaN, 0);
  locomotion.tick(0, 100);
  expect(el.object3D.position.z).toBeCloseTo(2.7, 5);
});

test("thumbsticks walk and turn by 30 degrees at a time", () => {
  const { scene, el, locomotion } = rig();
  const left = { handedness: "left", gamepad: { axes: [0, 0, 1, 0] } };
  const right = { handedness: "right", gamepad: { axes: [0, 0, 0.9, 0] } };
  Object.assign(scene, { xrSession: { inputSources: [left, right] } });
  locomotion.tick(0, 100);
  locomotion.tick(0, 100);
  expect(el.object3D.rotation.y).toBeCloseTo(-Math.PI / 6, 5);
  expect(el.object3D.position.x).not.toBe(0);
});

test("Q and E turn by the angle that was set, once a press, about the head", () => {
  const { scene, el, locomotion } = rig({ angle: 45 });
  scene.camera?.position.set(1, 1.6, 0);
  key("keydown", "KeyE");
  locomotion.tick(0, 50);
  locomotion.tick(0, 50);
  expect(el.object3D.rotation.y).toBeCloseTo(-Math.PI / 4, 5);
  const head = scene.camera?.getWorldPosition(el.object3D.position.clone());
  expect(head?.toArray()).toEqual([expect.closeTo(1, 5), expect.closeTo(1.6, 5), expect.closeTo(3, 5)]);
  key("keyup", "KeyE");
  key("keydown", "KeyQ");
  locomotion.tick(0, 50);
  key("keyup", "KeyQ");
  expect(el.object3D.rotation.y).toBeCloseTo(0, 5);
  expect(locomotion.isGliding).toBe(false);
});

test("smooth turning goes on for as long as the key is held", () => {
  const { el, locomotion } = rig({ turn: "smooth" });
  key("keydown", "KeyQ");
  locomotion.tick(0, 100);
  expect(el.object3D.rotation.y).toBeCloseTo((9 * Math.PI) / 180, 5);
  expect(locomotion.isGliding).toBe(true);
  key("keyup", "KeyQ");
});

test("R flies up only where flying is allowed", () => {
  const flies = rig({ fly: true });
  key("keydown", "KeyR");
  flies.locomotion.tick(0, 100);
  expect(flies.el.object3D.position.y).toBeCloseTo(0.3, 5);
  const walks = rig();
  key("keydown", "KeyR");
  walks.locomotion.tick(0, 100);
  key("keyup", "KeyR");
  expect(walks.el.object3D.position.y).toBe(0);
});

test("a walking user follows the height of open ground", () => {
  const { el, locomotion } = rig();
  const ground = new OpenGround();
  ground.height = (_x, z) => 3 - z;
  locomotion.floor = ground;
  locomotion.setMove(0, -1);
  locomotion.tick(0, 100);
  expect(el.object3D.position.y).toBeCloseTo(0.3, 5);
});

test("a seated user faces the seat's direction, and stands up at the previous position", () => {
  const { scene, el, locomotion } = rig();
  locomotion.sit({ position: { x: 5, y: 0.45, z: 1 }, yawRad: Math.PI / 2 });
  const head = scene.camera?.getWorldPosition(el.object3D.position.clone());
  expect(head?.toArray()).toEqual([expect.closeTo(5, 5), expect.closeTo(1.2, 5), expect.closeTo(1, 5)]);
  const facing = scene.camera?.getWorldDirection(el.object3D.position.clone());
  expect(facing?.x).toBeCloseTo(-1, 5);
  locomotion.tick(0, 50);
  expect(locomotion.isSeated, "sitting still").toBe(true);
  locomotion.setMove(0, -1);
  locomotion.tick(0, 50);
  expect(el.object3D.position.toArray()).toEqual([expect.closeTo(0, 5), 0, expect.closeTo(3, 5)]);
  expect(locomotion.isSeated).toBe(false);
});

test("the raise setting lifts the user in VR only", () => {
  const { scene, el, locomotion } = rig({ raise: 0.4 });
  const { states } = scene as unknown as { states: Set<string> };
  states.add("vr-mode");
  locomotion.tick(0, 50);
  expect(el.object3D.position.y).toBeCloseTo(0.4, 5);
  locomotion.goTo({ x: 1, y: 2, z: 1 });
  locomotion.tick(0, 50);
  expect(el.object3D.position.y).toBeCloseTo(2.4, 5);
  states.clear();
  locomotion.tick(0, 50);
  expect(el.object3D.position.y).toBeCloseTo(2, 5);
});

test("a seated user stands up at the same height after leaving VR", () => {
  const { scene, el, locomotion } = rig({ raise: 0.4 });
  const { states } = scene as unknown as { states: Set<string> };
  states.add("vr-mode");
  locomotion.tick(0, 50);
  locomotion.sit({ position: { x: 1, y: 0.5, z: 1 }, yawRad: 0 });
  states.clear();
  locomotion.tick(0, 50);
  locomotion.stand();
  expect(el.object3D.position.toArray()).toEqual([0, expect.closeTo(0, 5), 3]);
});

test("after remove keys do nothing", () => {
  const { el, locomotion } = rig();
  locomotion.remove();
  key("keydown", "KeyW");
  locomotion.tick(0, 100);
  expect(el.object3D.position.toArray()).toEqual([0, 0, 3]);
});

test("a user just off a new floor is moved onto it; a user on it or farther away isn't moved", () => {
  const { el, locomotion } = rig();
  const { position } = el.object3D;
  // The floor begins at x = 0.
  locomotion.floor = {
    step: () => undefined,
    landing: (x, y) => (x >= 0 ? y : null),
    nearest: ({ y, z }) => ({ x: 0, y, z }),
  };
  position.set(-2, 0, 3);
  locomotion.settle(1.5);
  expect(position.x).toBe(-2);
  position.set(-1, 0, 3);
  locomotion.settle(1.5);
  expect(position.x).toBeCloseTo(0, 5);
  position.set(1, 0, 3);
  locomotion.settle(1.5);
  expect(position.toArray()).toEqual([1, 0, 3]);
});
