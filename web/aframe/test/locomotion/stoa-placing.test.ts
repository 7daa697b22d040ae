import { beforeEach, expect, test, vi } from "vitest";
import { asEntity, type Entity, type SceneElement } from "../../src/aframe.ts";
import { ScenePlacementBehaviour } from "../../src/locomotion/stoa-placing.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

const SETTINGS = { hint: "", keep: "", tells: true, src: "", width: 0.5, height: 0.5 };

let scene: SceneElement & { readonly states?: Set<string> };
let rig: Entity;
let placing: ScenePlacementBehaviour;
let told: string[];
/** The device's hit test result: position and orientation of the surface. */
let looksAt: { readonly position: object; readonly orientation: object } | null;

const UP = { x: 0, y: 0, z: 0, w: 1 };

async function enter(session: object): Promise<void> {
  scene.states?.add("ar-mode");
  const frame = {
    getHitTestResults: () => (looksAt === null ? [] : [{ getPose: () => ({ transform: looksAt }) }]),
  };
  Object.assign(scene, { xrSession: session, frame });
  Object.assign(scene.renderer.xr, { getReferenceSpace: () => ({}) });
  placing.tick();
  await Promise.resolve();
  await Promise.resolve();
  await Promise.resolve();
}

const able = { requestReferenceSpace: async () => ({}), requestHitTestSource: async () => ({ cancel() {} }) };

beforeEach(() => {
  scene = stubScene();
  rig = stubEntity(scene);
  told = [];
  looksAt = { position: { x: 1, y: 0, z: 2 }, orientation: UP };
  placing = new ScenePlacementBehaviour(stubAFrame(), rig);
  placing.onHit = ({ type }) => told.push(type);
  placing.update(SETTINGS);
});

test("a press on the room emits hitstart and hitend, and a press on an object emits neither", async () => {
  await enter(able);
  placing.tick();
  expect(placing.take(true)).toBeNull();
  placing.take(false)?.end();
  expect(told).toEqual(["hitstart", "hitend"]);
});

test("a press where no surface is detected emits nothing", async () => {
  looksAt = null;
  await enter(able);
  placing.tick();
  expect(placing.take(false)).toBeNull();
  expect(told).toEqual([]);
});

test("a device that refuses or lacks hit testing can't place the scene", async () => {
  const refuses = { ...able, requestHitTestSource: () => Promise.reject(new Error("no")) };
  await enter(refuses);
  expect(placing.isAble).toBe(false);
  await enter({ requestReferenceSpace: able.requestReferenceSpace });
  expect(placing.isAble, "it lacks the feature").toBe(false);
  await enter(able);
  expect(placing.isAble, "negative control").toBe(true);
});

test("remove cancels the hit test source, and a failing cancel after the session is no error", async () => {
  const cancel = vi.fn();
  await enter({ ...able, requestHitTestSource: async () => ({ cancel }) });
  placing.remove();
  expect(cancel).toHaveBeenCalledOnce();
  const over = {
    ...able,
    requestHitTestSource: async () => ({
      cancel: () => {
        throw new Error("over");
      },
    }),
  };
  await enter(over);
  scene.states?.clear();
  placing.tick();
  expect(placing.isAble).toBe(false);
});

test("a hit test source that arrives after the end of the session is cancelled", async () => {
  const cancel = vi.fn();
  let answer: (source: object) => void = () => undefined;
  const slow = {
    ...able,
    requestHitTestSource: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  };
  await enter(slow);
  scene.states?.clear();
  placing.tick();
  answer({ cancel });
  await Promise.resolve();
  await Promise.resolve();
  expect(cancel).toHaveBeenCalledOnce();
  expect(placing.isAble).toBe(false);
});

test("a detected wall shows the marker, and remove deletes it", async () => {
  looksAt = { position: { x: 0, y: 1, z: -2 }, orientation: { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 } };
  await enter(able);
  placing.tick();
  expect(asEntity(rig).getObject3D("stoa-placing")?.visible).toBe(true);
  placing.remove();
  expect(rig.object3D.children.length).toBe(0);
});
