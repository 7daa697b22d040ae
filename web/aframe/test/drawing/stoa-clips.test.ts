import { AnimationClip, Group, NumberKeyframeTrack } from "three";
import { expect, test } from "vitest";
import { ClipsBehaviour, type ClipsSettings } from "../../src/drawing/stoa-clips.ts";
import { heard, stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

const PLAIN: ClipsSettings = {
  ...{ clip: "*", useRegExp: false, loop: "repeat", repetitions: -1, duration: 0, crossFadeDuration: 0 },
  ...{ clampWhenFinished: false, startAt: 0, timeScale: 1 },
};

/** A model with two clips, which move it by 10 m per second along x and y. */
function clips(settings: Partial<ClipsSettings> = {}) {
  const el = stubEntity(stubScene());
  const model = new Group();
  const track = (axis: string) => new NumberKeyframeTrack(`.position[${axis}]`, [0, 1], [0, 10]);
  model.animations = [new AnimationClip("walk", 1, [track("x")]), new AnimationClip("jump", 1, [track("y")])];
  el.setObject3D("mesh", model);
  const one = new ClipsBehaviour(stubAFrame(), el);
  one.update({ ...PLAIN, ...settings });
  const run = (ms: number) => {
    one.tick(0, ms);
    return model.position.toArray().map((axis) => Math.round(axis * 10) / 10);
  };
  return { el, model, one, run };
}

test("only the clips that match the pattern play", () => {
  expect(clips().run(500)).toEqual([5, 5, 0]);
  expect(clips({ clip: "wa*" }).run(500)).toEqual([5, 0, 0]);
  expect(clips({ clip: "^j", useRegExp: true }).run(500)).toEqual([0, 5, 0]);
});

test("a clip follows its timeScale, duration and startAt", () => {
  expect(clips({ clip: "walk", timeScale: 0.5 }).run(500)).toEqual([2.5, 0, 0]);
  expect(clips({ clip: "walk", duration: 4 }).run(1_000)).toEqual([2.5, 0, 0]);
  expect(clips({ clip: "walk", startAt: 0.5 }).run(250)).toEqual([7.5, 0, 0]);
  expect(clips({ clip: "walk", timeScale: -1 }).run(250)).toEqual([7.5, 0, 0]);
});

test("a finished clip emits animation-finished, and keeps its last pose with clampWhenFinished", () => {
  const once = clips({ clip: "walk", loop: "once", clampWhenFinished: true });
  const finished = heard(once.el, "animation-finished");
  expect(once.run(3_000)).toEqual([10, 0, 0]);
  expect(finished.length).toBe(1);
  expect(clips({ clip: "walk", loop: "pingpong" }).run(1_250)).toEqual([7.5, 0, 0]);
});

test("a new pattern switches to the matching clips, and remove stops all clips", () => {
  const { one, model, run } = clips({ clip: "walk" });
  run(500);
  one.update({ ...PLAIN, clip: "jump", crossFadeDuration: 0 });
  expect(run(500)[1]).toBe(5);
  one.remove();
  model.position.set(1, 2, 3);
  expect(run(500)).toEqual([1, 2, 3]);
});
