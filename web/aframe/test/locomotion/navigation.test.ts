import type { CameraOrder, SceneObject } from "@stoa/client";
import { Group, Vector3 } from "three";
import { expect, test } from "vitest";
import { SceneTeleporter } from "../../src/locomotion/navigation.ts";
import { LOCOMOTION, LocomotionBehaviour } from "../../src/locomotion/stoa-locomotion.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

/** The user 3 m in front of the origin, a door 4 m to its right, and Bo's head. */
function scene(landmark: Record<string, unknown> = {}) {
  const sceneEl = stubScene();
  const rig = stubEntity(sceneEl);
  const camera = stubEntity(sceneEl);
  rig.object3D.position.set(0, 0, 3);
  if (sceneEl.camera) rig.object3D.add(sceneEl.camera);
  sceneEl.camera?.position.set(0, 1.6, 0);
  const pitchObject = { rotation: { x: 0 } };
  Object.assign(camera, { components: { "look-controls": { pitchObject } } });
  const locomotion = new LocomotionBehaviour(stubAFrame(), rig);
  locomotion.update(LOCOMOTION);
  const door = new Group();
  door.position.set(4, 0, 0);
  const object: SceneObject = { objectId: "door", type: "object", persist: true, attributes: { landmark } };
  const going = new SceneTeleporter({
    ...{ scene: sceneEl, rig, camera, locomotion: () => locomotion },
    session: { objects: new Map([["door", object]]) },
    find: (objectId) => (objectId === "door" ? door : null),
    headOf: (idTag, place) => idTag === "bo_1" && place.set(0, 1.6, 0) !== undefined,
  });
  const order = (attributes: Record<string, unknown>, type: CameraOrder["type"] = "camera-override"): void =>
    going.follow({ type, attributes });
  const eyes = (): number[] => {
    rig.object3D.updateWorldMatrix(true, true);
    const { x, y, z } = sceneEl.camera?.getWorldPosition(new Vector3()) ?? new Vector3();
    return [x, y, z].map((value) => Math.round(value * 1_000) / 1_000 || 0);
  };
  const ahead = (): number[] => {
    rig.object3D.updateWorldMatrix(true, true);
    const { x, z } = sceneEl.camera?.getWorldDirection(new Vector3()) ?? new Vector3();
    return [x, z].map((value) => Math.round(value * 1_000) / 1_000 || 0);
  };
  return { going, order, eyes, ahead, locomotion, pitch: () => pitchObject.rotation.x, sceneEl };
}

test("a camera order sets the position and direction of the user's eyes", () => {
  const { order, eyes, ahead, pitch } = scene();
  order({ object_type: "camera", position: { x: 1, y: 5, z: -2 }, rotation: { x: -20, y: 90, z: 0 } });
  expect(eyes()).toEqual([1, 5, -2]);
  expect(ahead()).toEqual([-1, 0]);
  expect(pitch()).toBeCloseTo((-20 * Math.PI) / 180, 5);
});

test("a look-at order turns the user to an object, point or person, and ignores unknown targets", () => {
  const { order, ahead, eyes } = scene();
  order({ object_type: "look-at", target: { x: 10, y: 1.6, z: 3 } });
  expect(ahead()).toEqual([1, 0]);
  order({ object_type: "look-at", target: "bo_1" });
  expect(ahead()).toEqual([0, -1]);
  order({ object_type: "look-at", target: "door" });
  expect(ahead()).toEqual([0.8, -0.6]);
  order({ object_type: "look-at", target: "nobody" });
  expect([ahead(), eyes()]).toEqual([
    [0.8, -0.6],
    [0, 1.6, 3],
  ]);
});

test("a look-at order in a headset changes the yaw, but not the pitch", () => {
  const { order, ahead, pitch, sceneEl } = scene();
  Object(sceneEl).states.add("vr-mode");
  order({ object_type: "look-at", target: { x: 10, y: 9, z: 3 } });
  expect([ahead(), pitch()]).toEqual([[1, 0], 0]);
});

test("an order teleports the user to a landmark, and a rig order moves the rig", () => {
  const { order, eyes } = scene({ lookAtLandmark: true, offsetPosition: { x: 0, y: 1.6, z: 2 } });
  order({ object_type: "teleport-to-landmark", landmarkObj: "door" });
  expect(eyes()).toEqual([4, 1.6, 2]);
  order({ position: { x: 7, y: 1, z: 7 } }, "rig");
  expect(eyes()).toEqual([7, 2.6, 7]);
});

test("a landmark with constrainToNavMesh places an arrival on the navigation mesh", () => {
  const asked: unknown[] = [];
  const { going, locomotion, eyes } = scene({ constrainToNavMesh: "any", offsetPosition: { x: 0, y: 1.6, z: 0 } });
  locomotion.floor = {
    step: () => undefined,
    landing: () => null,
    nearest: (place, on) => {
      asked.push([place.x, on]);
      return { x: 3, y: 0.5, z: 0 };
    },
  };
  going.goTo("door");
  expect([asked, eyes()]).toEqual([[[4, "nearest"]], [3, 2.1, 0]]);
});

test("going to a person places the user at talking distance, facing the person", () => {
  const { going, eyes, ahead } = scene();
  going.goToPerson("bo_1");
  expect([eyes(), ahead()]).toEqual([
    [0, 1.6, 1.4],
    [0, -1],
  ]);
  going.goToPerson("nobody");
  expect(eyes()).toEqual([0, 1.6, 1.4]);
});

test("going to a person in VR keeps the height of a raised user", () => {
  const { going, eyes, locomotion, sceneEl, order } = scene();
  locomotion.update({ ...LOCOMOTION, raise: 0.4 });
  Object(sceneEl).states.add("vr-mode");
  locomotion.tick(0, 50);
  going.goToPerson("bo_1");
  expect(eyes()).toEqual([0, 2, 1.4]);
  order({ rotation: { x: 0, y: 90, z: 0 } }, "rig");
  expect(eyes()[1]).toBe(2);
});
