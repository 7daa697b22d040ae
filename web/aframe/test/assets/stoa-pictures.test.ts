import { Box3, BoxGeometry, LineSegments, Mesh, Raycaster, Vector3 } from "three";
import { expect, test } from "vitest";
import { BROKEN, MENDED, whatIsBroken } from "../../src/assets/broken-files.ts";
import { MaterialMapsBehaviour } from "../../src/assets/stoa-pictures.ts";
import { paintable, settled } from "../paintable.ts";
import { heard, stubAFrame } from "../stub-aframe.ts";

const maps = (pictures: Readonly<Record<string, string>>, others = "") => ({ maps: JSON.stringify(pictures), others });

test("a material's pictures load through the queue, each once, and are freed on remove", async () => {
  const { el, material, fetched, freed, library } = paintable();
  const pictures = new MaterialMapsBehaviour(stubAFrame(), el, () => library);
  pictures.update(maps({ src: "a.png", normalMap: "a.png" }));
  expect(material).toEqual({});
  await settled();
  expect([material, fetched]).toEqual([{ src: "blob:a.png", normalMap: "blob:a.png" }, ["picture a.png"]]);
  pictures.remove();
  expect([freed, library.size, material]).toEqual([["a.png"], 0, { src: "", normalMap: "" }]);
});

test("a changed material gets its picture back without a fetch, and a new picture replaces the old one", async () => {
  const { el, material, fetched, freed, library } = paintable();
  const pictures = new MaterialMapsBehaviour(stubAFrame(), el, () => library);
  pictures.update(maps({ src: "a.png" }));
  await settled();
  // A-Frame received a material without a picture.
  delete material.src;
  pictures.update(maps({ src: "a.png" }, "red"));
  expect([material.src, fetched.length]).toEqual(["blob:a.png", 1]);
  pictures.update(maps({ src: "b.png" }, "red"));
  await settled();
  expect([material.src, freed]).toEqual(["blob:b.png", ["a.png"]]);
});

test("a broken picture is marked and reported until another one is set", async () => {
  const { scene, el, library } = paintable();
  const [told, mended] = [heard(scene, BROKEN), heard(scene, MENDED)];
  const pictures = new MaterialMapsBehaviour(stubAFrame(), el, () => library);
  pictures.update(maps({ src: "gone.png" }));
  await settled();
  expect(told).toEqual([{ objectId: "wall", src: "gone.png", code: "missing" }]);
  expect(whatIsBroken(el)).toEqual(told[0]);
  expect(el.getObject3D("stoa-broken")).toBeDefined();
  expect(mended).toEqual([]);
  pictures.update(maps({ src: "b.png" }));
  expect(el.getObject3D("stoa-broken")).toBeUndefined();
  expect([mended, whatIsBroken(el)]).toEqual([[{ objectId: "wall" }], undefined]);
});

test("the broken-file marker outlines its object on the outside and isn't hit by rays", async () => {
  const { el, library } = paintable();
  el.setObject3D("mesh", new Mesh(new BoxGeometry(5, 3, 0.02)));
  new MaterialMapsBehaviour(stubAFrame(), el, () => library).update(maps({ src: "gone.png" }));
  await settled();
  const marker = el.getObject3D("stoa-broken");
  const size = new Box3().setFromObject(marker ?? new Mesh()).getSize(new Vector3());
  for (const [at, metres] of [5, 3, 0.02].entries()) {
    expect(size.getComponent(at)).toBeGreaterThan(metres);
    expect(size.getComponent(at)).toBeLessThan(metres + 0.1);
  }
  const points = [...(marker?.children ?? [])].flatMap((lines) =>
    lines instanceof LineSegments ? [...lines.geometry.getAttribute("position").array] : [],
  );
  const isOnSide = (at: number) => [0, 1, 2].some((axis) => points[at + axis] === points[at + 3 + axis]);
  const lines = Array.from({ length: points.length / 6 }, (_, line) => 6 * line);
  expect(lines.length).toBe(12 + 12);
  expect(
    lines.filter((at) => !isOnSide(at)),
    "within the body nobody would see it",
  ).toEqual([]);
  const caster = new Raycaster(new Vector3(0, 2, 5), new Vector3(0, 0, -1));
  expect(caster.intersectObject(marker ?? new Mesh())).toEqual([]);
});
