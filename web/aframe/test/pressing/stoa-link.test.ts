import { expect, test } from "vitest";
import { LinkBehaviour, OPEN } from "../../src/pressing/stoa-link.ts";
import { heard, stubEntity, stubScene } from "../stub-aframe.ts";

test("the configured press requests the link's URL, in a new tab if set", () => {
  const scene = stubScene();
  const el = stubEntity(scene, "door");
  const link = new LinkBehaviour(el);
  const asked = heard(scene, OPEN);
  link.update({ url: "https://example.org/", on: "mouseup", dest: "newtab" });
  el.emit("mousedown", null, false);
  expect(asked).toEqual([]);
  el.emit("mouseup", null, false);
  expect(asked).toEqual([{ url: "https://example.org/", newTab: true }]);
});

test("a press requests only the new URL after a change, and none after remove", () => {
  const scene = stubScene();
  const el = stubEntity(scene, "door");
  const link = new LinkBehaviour(el);
  const asked = heard(scene, OPEN);
  link.update({ url: "https://example.org/1", on: "mousedown", dest: "sametab" });
  link.update({ url: "https://example.org/2", on: "mousedown", dest: "sametab" });
  el.emit("mousedown", null, false);
  link.remove();
  el.emit("mousedown", null, false);
  expect(asked).toEqual([{ url: "https://example.org/2", newTab: false }]);
});
