import { expect, test } from "vitest";
import { CLIENT_EVENT } from "../../src/pressing/stoa-clickable.ts";
import { PointerBehaviour } from "../../src/pressing/stoa-pointer.ts";
import { TouchBehaviour } from "../../src/pressing/stoa-touch.ts";
import { heard, inputSource, stubAFrame, stubBox, stubEntity, stubScene } from "../stub-aframe.ts";

function touch(dynamic = false) {
  const scene = stubScene();
  const el = stubBox(scene, "door", [0, 1.6, 0]);
  const events = heard(scene, CLIENT_EVENT);
  const one = new TouchBehaviour(stubAFrame(), el);
  one.update({ dynamic });
  let ms = 0;
  const goTo = (z: number) => {
    ms += 200;
    scene.camera?.position.set(0, 1.6, z);
    scene.object3D.updateMatrixWorld(true);
    one.tick(ms);
  };
  return { scene, el, events, goTo, one };
}

test("walking into a box emits collision-start once, and leaving it emits collision-end", () => {
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

test("a box detached from the scene reports no collision", () => {
  const { el, events, goTo } = touch();
  el.object3D.removeFromParent();
  goTo(0.2);
  expect(events).toEqual([]);
});

test("a hand is identified by its controller's handedness, not by its index in three.js", () => {
  const { scene, events, goTo } = touch();
  const rig = stubEntity(scene);
  rig.setAttribute("stoa-pointer", "");
  Object.assign(rig, { components: { "stoa-pointer": { behaviour: new PointerBehaviour(stubAFrame(), rig, scene) } } });
  const { xr } = scene.renderer;
  // The state after the left controller slept and woke: second in the XR session, first in three.js.
  Object.assign(scene, { xrSession: { inputSources: [inputSource("right"), inputSource("left")] } });
  for (const [at, handedness] of (["left", "right"] as const).entries()) {
    xr.getController(at).dispatchEvent({ type: "connected", data: inputSource(handedness) });
    xr.getControllerGrip(at).position.set(0, 1.6, handedness === "left" ? 0.2 : 5);
    xr.getControllerGrip(at).visible = true;
  }
  goTo(3);
  expect(events).toMatchObject([{ type: "collision-start", source: "left" }]);
});
