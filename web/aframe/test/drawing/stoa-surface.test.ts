import { BoxGeometry, Group, Mesh, MeshStandardMaterial, Texture } from "three";
import { expect, test } from "vitest";
import { BROKEN } from "../../src/assets/broken-files.ts";
import { type SurfaceOverrides, SurfaceOverridesBehaviour } from "../../src/drawing/stoa-surface.ts";
import { fakeLibrary, settled } from "../paintable.ts";
import { heard, stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

function surface() {
  const files = fakeLibrary();
  const scene = stubScene();
  const el = stubEntity(scene, "wall");
  const shared = new MeshStandardMaterial({ opacity: 0.8 });
  const mesh = new Mesh<BoxGeometry, MeshStandardMaterial | MeshStandardMaterial[]>(new BoxGeometry(), shared);
  el.setObject3D("mesh", new Group().add(mesh));
  const one = new SurfaceOverridesBehaviour(stubAFrame(), el, () => files.library);
  const set = (surface: SurfaceOverrides) => one.update({ surface: JSON.stringify(surface) });
  const material = () => [mesh.material].flat()[0];
  return { files, scene, el, shared, mesh, one, set, material };
}

test("overrides apply to copies of the materials, and remove restores the originals", () => {
  const { shared, mesh, one, set, material } = surface();
  set({ gltfOpacity: 0.5, renderOrder: 3, colorWrite: false });
  expect([material()?.opacity, material()?.transparent, material()?.colorWrite]).toEqual([0.4, true, false]);
  expect([shared.opacity, mesh.renderOrder]).toEqual([0.8, 3]);
  one.remove();
  expect([mesh.material, mesh.renderOrder]).toEqual([shared, 0]);
});

test("a transparent occluder is drawn first and without colour", () => {
  const { mesh, set, material } = surface();
  set({ transparentOccluder: true, renderOrder: 7 });
  expect([material()?.colorWrite, mesh.renderOrder]).toEqual([false, -1]);
});

test("each side of a box gets its picture, and the last picture fills the remaining sides", () => {
  const { mesh, set } = surface();
  set({ sides: ["https://realm.local/store/a.png", "https://realm.local/store/b.png"] });
  const maps = [mesh.material].flat().map(({ map }) => map?.uuid);
  expect([maps.length, new Set(maps).size]).toEqual([6, 2]);
  expect(maps[0]).not.toBe(maps[1]);
});

test("remove keeps a material that was replaced in the meantime", () => {
  const { mesh, one, set } = surface();
  set({ gltfOpacity: 0.5 });
  const other = new MeshStandardMaterial();
  mesh.material = other;
  one.remove();
  expect(mesh.material).toBe(other);
});

test("later changes of the object's own material and texture are shown", () => {
  const { el, shared, set, material } = surface();
  set({ colorWrite: false, gltfOpacity: 0.5 });
  shared.map = new Texture();
  el.emit("materialtextureloaded", { texture: shared.map });
  expect([material()?.map, material()?.colorWrite, material()?.opacity]).toEqual([shared.map, false, 0.4]);
  shared.color.set("#ff0000");
  el.emit("componentchanged", { name: "material" }, false);
  expect([material()?.color.getHexString(), material()?.opacity]).toEqual(["ff0000", 0.4]);
});

test("an override picture stays while the material changes", async () => {
  const { el, set, material } = surface();
  set({ overrideSrc: "a.png" });
  await settled();
  const before = material()?.map;
  el.emit("componentchanged", { name: "material" }, false);
  expect([material()?.map === before, before?.isTexture]).toEqual([true, true]);
});

test("override pictures load through the queue, survive a new mesh, and are freed on remove", async () => {
  const { files, el, one, set } = surface();
  set({ overrideSrc: "a.png" });
  await settled();
  el.emit("object3dset", { type: "mesh" }, false);
  await settled();
  expect([files.fetched, files.freed]).toEqual([["picture a.png"], []]);
  one.remove();
  expect([files.library.size, files.freed]).toEqual([0, ["a.png"]]);
});

test("a broken override picture is marked and reported once, until another one is set", async () => {
  const { scene, el, set } = surface();
  const told = heard(scene, BROKEN);
  // A-Frame emits an event for each object set, including the broken-file marker.
  const put = el.setObject3D.bind(el);
  el.setObject3D = (name, object) => {
    put(name, object);
    el.emit("object3dset", { type: name }, false);
  };
  set({ overrideSrc: "gone.png" });
  await settled();
  await settled();
  expect(told).toEqual([{ objectId: "wall", src: "gone.png", code: "missing" }]);
  expect(el.getObject3D("stoa-broken")).toBeDefined();
  set({ overrideSrc: "b.png" });
  expect(el.getObject3D("stoa-broken")).toBeUndefined();
});
