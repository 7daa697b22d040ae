import { expect, test } from "vitest";
import { GO_TO, TeleportTriggerBehaviour } from "../../src/locomotion/stoa-landmark.ts";
import { heard, stubEntity, stubScene } from "../stub-aframe.ts";

test("a press asks for the journey, and remove ends that", () => {
  const scene = stubScene();
  const el = stubEntity(scene, "sign");
  const landmark = new TeleportTriggerBehaviour(el);
  const asked = heard(scene, GO_TO);
  landmark.update({ landmark: "door", on: "mousedown" });
  el.emit("mousedown", null, false);
  landmark.remove();
  el.emit("mousedown", null, false);
  expect(asked).toEqual(["door"]);
});
