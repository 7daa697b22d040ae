import { expect, test } from "vitest";
import { CLIENT_EVENT } from "../src/stoa-clickable.ts";
import { Touch } from "../src/stoa-touch.ts";
import { heard, stubAFrame, stubBox, stubScene } from "./stub-aframe.ts";

function touch(dynamic = false) {
  const scene = stubScene();
  const el = stubBox(scene, "door", [0, 1.6, 0]);
  const events = heard(scene, CLIENT_EVENT);
  const one = new Touch(stubAFrame(), el);
  one.update({ dynamic });
  let ms = 0;
  const goTo = (z: number) => {
    ms += 200;
    scene.camera?.position.set(0, 1.6, z);
    scene.object3D.updateMatrixWorld(true);
    one.tick(ms);
  };
  return { el, events, goTo, one };
}

test("whoever walks into the box is told of, once, and again when they leave", () => {
  const { events, goTo } = touch();
  for (const z of [3, 0.4, 0.2, -2]) goTo(z);
  expect(events).toMatchObject([
    { type: "collision-start", target: "door", source: "camera", originPosition: [0, 1.6, 0.4] },
    { type: "collision-end", target: "door", source: "camera", originPosition: [0, 1.6, -2] },
  ]);
});

test("a box that is dynamic goes with its object, another stays where it was", () => {
  for (const dynamic of [true, false]) {
    const { el, events, goTo } = touch(dynamic);
    goTo(3);
    el.object3D.position.set(0, 1.6, 20);
    goTo(20);
    expect(events.length).toBe(dynamic ? 1 : 0);
  }
});
