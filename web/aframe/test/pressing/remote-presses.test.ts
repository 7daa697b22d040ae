import { expect, test } from "vitest";
import { PortalBehaviour, TRAVEL } from "../../src/locomotion/stoa-portal.ts";
import { SeatBehaviour, SIT } from "../../src/locomotion/stoa-seat.ts";
import { isRemotePress, repeatPress } from "../../src/pressing/remote-presses.ts";
import { LinkBehaviour } from "../../src/pressing/stoa-link.ts";
import { heard, stubAFrame, stubBox, stubEntity, stubScene } from "../stub-aframe.ts";

test("an object receives remote clicks, and no other remote events", () => {
  const el = stubEntity(stubScene(), "bell");
  const clicks = heard(el, "mousedown");
  const odd = heard(el, "model-error");
  repeatPress(el, { type: "mousedown", idTag: "bob", target: "bell", attributes: {} });
  repeatPress(el, { type: "model-error", idTag: "bob", target: "bell", attributes: {} });
  expect(clicks).toEqual([{ clicker: "bob" }]);
  expect(odd).toEqual([]);
});

test("a remote click opens no link", () => {
  const scene = stubScene();
  const el = stubEntity(scene, "door");
  new LinkBehaviour(el).update({ url: "https://example.org/", on: "mousedown", dest: "sametab" });
  const opened = heard(scene, "stoa-open");
  repeatPress(el, { type: "mousedown", idTag: "bob", target: "door", attributes: {} });
  expect(opened).toEqual([]);
  el.emit("mousedown", {}, false);
  expect(opened.length, "negative control").toBe(1);
  expect(isRemotePress(new Event("mousedown"))).toBe(false);
});

test("a remote click triggers neither a portal nor a seat", () => {
  const scene = stubScene();
  const [travels, seats] = [heard(scene, TRAVEL), heard(scene, SIT)];
  const [door, chair] = [stubBox(scene, "door", [0, 0, 0]), stubBox(scene, "chair", [1, 0, 0])];
  new PortalBehaviour(stubAFrame(), door).update({ scene: "public/trap", landmark: "", radius: 0 });
  new SeatBehaviour(stubAFrame(), chair).update({ offset: { x: 0, y: 0.45, z: 0 }, facing: 0 });
  for (const [el, target] of [
    [door, "door"],
    [chair, "chair"],
  ] as const)
    repeatPress(el, { type: "mousedown", idTag: "mallory", target, attributes: {} });
  expect([travels, seats]).toEqual([[], []]);
  door.emit("mousedown", {}, false);
  chair.emit("mousedown", {}, false);
  expect([travels.length, seats.length], "negative control").toEqual([1, 1]);
});
