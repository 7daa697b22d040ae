import { type InstancedMesh, Matrix4, Vector3 } from "three";
import { expect, test } from "vitest";
import { CrowdBehaviour, type DistantPerson } from "../../src/people/stoa-crowd.ts";
import { MotionDelay, PoseTrack } from "../../src/people/track.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

const RED = "#ff0000";

function track(x: number): PoseTrack {
  const made = new PoseTrack(new MotionDelay());
  made.handleMotion(0, 0, Float64Array.of(x, 1.6, 0, Math.SQRT1_2, 0, 0, Math.SQRT1_2));
  return made;
}

function person(x: number, hand = false): DistantPerson {
  return { head: track(x), left: null, right: hand ? track(x) : null, isRaised: hand, color: RED };
}

function crowd(people: readonly DistantPerson[]) {
  const el = stubEntity(stubScene());
  const made = new CrowdBehaviour(stubAFrame(), el, () => 100);
  const ticks: number[] = [];
  const source = { distant: people, tick: (nowMs: number, eyes: Vector3) => ticks.push(nowMs, eyes.z) };
  made.source = source;
  made.tick();
  const mesh = (part: string) => el.getObject3D(`stoa-crowd-${part}`) as InstancedMesh | undefined;
  return { el, crowd: made, ticks, mesh, source };
}

test("a crowd is drawn as instances, at each person's position and in their colour", () => {
  const { mesh } = crowd([person(1), person(2, true)]);
  expect(["head", "eyes", "body", "hands", "raised"].map((part) => mesh(part)?.count)).toEqual([2, 2, 2, 1, 1]);
  const matrix = new Matrix4();
  mesh("head")?.getMatrixAt(1, matrix);
  expect(new Vector3().setFromMatrixPosition(matrix).toArray()).toEqual([2, expect.closeTo(1.6, 5), 0]);
  expect([...(mesh("body")?.instanceColor?.array ?? [])].slice(0, 3)).toEqual([1, 0, 0]);
  expect(mesh("eyes")?.instanceColor, "eyes are everybody's").toBeNull();
});

test("the body of a person looking up stays upright", () => {
  const { mesh } = crowd([person(1)]);
  const [head, body] = [new Matrix4(), new Matrix4()];
  mesh("head")?.getMatrixAt(0, head);
  mesh("body")?.getMatrixAt(0, body);
  expect(new Vector3(0, 1, 0).transformDirection(body).y).toBeCloseTo(1, 5);
  expect(new Vector3(0, 1, 0).transformDirection(head).y, "negative control").toBeCloseTo(0, 5);
});

test("a person without a known pose is not drawn, nor is one who left", () => {
  const { crowd: made, source, mesh } = crowd([{ ...person(1), head: new PoseTrack(new MotionDelay()) }, person(2)]);
  expect(made.count).toBe(1);
  made.source = { ...source, distant: [] };
  made.tick();
  expect([mesh("head")?.count, mesh("head")?.visible]).toEqual([0, false]);
});

test("a crowd of 500 people is drawn completely", () => {
  const { mesh } = crowd(Array.from({ length: 500 }, (_, x) => person(x)));
  expect(mesh("head")?.count).toBe(500);
  const matrix = new Matrix4();
  for (const x of [0, 63, 64, 499]) {
    mesh("head")?.getMatrixAt(x, matrix);
    expect(new Vector3().setFromMatrixPosition(matrix).x).toBe(x);
  }
  expect([...(mesh("head")?.instanceColor?.array ?? [])].slice(0, 6)).toEqual([1, 0, 0, 1, 0, 0]);
});

test("the crowd ticks its source once a frame with the time and the eyes' position", () => {
  expect(crowd([]).ticks).toEqual([100, 3]);
});

test("remove deletes all crowd meshes", () => {
  const { el, crowd: made } = crowd([person(1, true)]);
  made.remove();
  expect(el.object3D.children.length).toBe(0);
  made.tick();
  expect(el.object3D.children.length).toBe(0);
});
