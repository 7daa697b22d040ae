import { expect, test } from "vitest";
import { HandBehaviour } from "../../src/people/stoa-hand.ts";
import { MotionDelay, PoseTrack } from "../../src/people/track.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

test("a hand is drawn at its received position, and remove deletes its mesh", () => {
  const el = stubEntity(stubScene());
  const hand = new HandBehaviour(stubAFrame(), el, () => 0);
  hand.update({ color: "#00ff00" });
  const track = new PoseTrack(new MotionDelay());
  track.handleMessage(0, { position: [0.2, 1.1, -0.3], rotation: [0, 0, 0, 1] });
  hand.follow(track);
  expect(el.object3D.position.toArray()).toEqual([0.2, 1.1, -0.3]);
  expect(el.object3D.children.length).toBe(1);
  hand.remove();
  expect(el.object3D.children.length).toBe(0);
});

test("a hand is hidden while its pose is unknown", () => {
  const el = stubEntity(stubScene());
  const hand = new HandBehaviour(stubAFrame(), el, () => 0);
  const track = new PoseTrack(new MotionDelay());
  track.handleMotion(0, 0, Float64Array.of(1, 1, 0, 0, 0, 0, 1));
  hand.follow(track);
  expect(el.object3D.visible, "negative control").toBe(true);
  track.forget();
  hand.tick();
  expect(el.object3D.visible).toBe(false);
  track.handleMotion(0, 0, Float64Array.of(2, 1, 0, 0, 0, 0, 1));
  hand.tick();
  expect([el.object3D.visible, el.object3D.position.x]).toEqual([true, 2]);
});
