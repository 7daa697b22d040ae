import { expect, test } from "vitest";
import { BROKEN } from "../src/stoa-model.ts";
import { Pictures } from "../src/stoa-pictures.ts";
import { paintable, settled } from "./paintable.ts";
import { heard, stubAFrame } from "./stub-aframe.ts";

const maps = (pictures: Readonly<Record<string, string>>, others = "") => ({ maps: JSON.stringify(pictures), others });

test("a material's pictures come by the queue, one of each, and go with the component", async () => {
  const { el, material, fetched, freed, library } = paintable();
  const pictures = new Pictures(stubAFrame(), el, () => library);
  pictures.update(maps({ src: "a.png", normalMap: "a.png" }));
  expect(material).toEqual({});
  await settled();
  expect([material, fetched]).toEqual([{ src: "blob:a.png", normalMap: "blob:a.png" }, ["picture a.png"]]);
  pictures.remove();
  expect([freed, library.size, material]).toEqual([["a.png"], 0, { src: "", normalMap: "" }]);
});

test("where the rest of the material changes the picture is put there again, and another one takes its place", async () => {
  const { el, material, fetched, freed, library } = paintable();
  const pictures = new Pictures(stubAFrame(), el, () => library);
  pictures.update(maps({ src: "a.png" }));
  await settled();
  // A-Frame was given a material without a picture.
  delete material.src;
  pictures.update(maps({ src: "a.png" }, "red"));
  expect([material.src, fetched.length]).toEqual(["blob:a.png", 1]);
  pictures.update(maps({ src: "b.png" }, "red"));
  await settled();
  expect([material.src, freed]).toEqual(["blob:b.png", ["a.png"]]);
});

test("a picture that is broken is shown as broken until another is named", async () => {
  const { scene, el, library } = paintable();
  const told = heard(scene, BROKEN);
  const pictures = new Pictures(stubAFrame(), el, () => library);
  pictures.update(maps({ src: "gone.png" }));
  await settled();
  expect(told).toEqual([{ objectId: "wall", src: "gone.png", code: "missing" }]);
  expect(el.getObject3D("stoa-broken")).toBeDefined();
  pictures.update(maps({ src: "b.png" }));
  expect(el.getObject3D("stoa-broken")).toBeUndefined();
});
