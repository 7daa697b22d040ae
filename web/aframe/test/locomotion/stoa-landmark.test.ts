import { expect, test } from "vitest";
import { GO_TO, TeleportTriggerBehaviour } from "../../src/locomotion/stoa-landmark.ts";
import { heard, stubEntity, stubScene } from "../stub-aframe.ts";

test("a press requests the teleport to the landmark, and after remove it doesn't", () => {
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
