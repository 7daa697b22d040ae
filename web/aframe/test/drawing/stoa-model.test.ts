import { Group, type Material, Mesh, type Object3D, Points } from "three";
import { expect, test } from "vitest";
import type { AssetErrorCode } from "../../src/assets/asset-error.ts";
import { BROKEN } from "../../src/assets/broken-files.ts";
import { AssetLibrary, type LoadedAsset } from "../../src/assets/library.ts";
import { ModelBehaviour } from "../../src/drawing/stoa-model.ts";
import { heard, stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A model whose files load when the test says so. */
function model(drawn: () => Object3D = () => new Group().add(new Mesh())) {
  const scene = stubScene();
  const el = stubEntity(scene, "chair");
  const coming = new Map<string, (code?: AssetErrorCode) => void>();
  const disposed: string[] = [];
  const library = new AssetLibrary({
    textureBytesMax: 1,
    onProgress: () => undefined,
    load: ({ src }) =>
      new Promise<LoadedAsset>((resolve, reject) => {
        coming.set(src, (code) => {
          if (code) return reject(new Error(code));
          const copy = () => Object.assign(drawn(), { name: src });
          resolve({ copy, animations: [], textureBytes: 0, dispose: () => disposed.push(src) });
        });
      }),
  });
  const one = new ModelBehaviour(stubAFrame(), el, () => library);
  const settings = { kind: "gltf" as const, src: "a.glb", base: "", options: "" };
  const come = async (src: string, code?: AssetErrorCode) => {
    await settled();
    coming.get(src)?.(code);
    await settled();
  };
  return { scene, el, one, settings, come, disposed, library, shown: () => el.getObject3D("mesh")?.name };
}

test("a model is shown once its file has loaded, and is freed with the component", async () => {
  const { el, one, settings, come, disposed, library, shown } = model();
  const loaded = heard(el, "model-loaded");
  one.update(settings);
  expect([one.state, shown()]).toEqual(["loading", undefined]);
  await come("a.glb");
  expect([one.state, shown(), loaded.length]).toEqual(["shown", "a.glb", 1]);
  one.remove();
  expect([shown(), disposed, library.size]).toEqual([undefined, ["a.glb"], 0]);
});

test("recolouring a point cloud disposes its previous material", async () => {
  const { el, one, settings, come } = model(() => new Points());
  const paint = (color: string) => JSON.stringify({ points: { size: 0.1, color, opacity: 1 } });
  one.update({ ...settings, options: paint("#ff0000") });
  await come("a.glb");
  const cloud = el.getObject3D("mesh");
  const freed: string[] = [];
  const watch = (name: string): void => {
    const material: Material | undefined = cloud instanceof Points ? [cloud.material].flat()[0] : undefined;
    material?.addEventListener("dispose", () => freed.push(name));
  };
  watch("red");
  one.update({ ...settings, options: paint("#00ff00") });
  watch("green");
  expect(freed).toEqual(["red"]);
  one.remove();
  expect(freed).toEqual(["red", "green"]);
});

test("a broken model gets a marker and reports its file and error code", async () => {
  const { scene, one, settings, come, shown, el } = model();
  const broken = heard(scene, BROKEN);
  one.update(settings);
  await come("a.glb", "unreadable");
  expect(broken).toEqual([{ objectId: "chair", src: "a.glb", code: "unreadable" }]);
  expect([one.state, one.shown, el.getObject3D("mesh")?.children.length]).toEqual(["broken", null, 2]);
  one.update({ ...settings, src: "b.glb" });
  await come("b.glb");
  expect([one.state, shown()]).toEqual(["shown", "b.glb"]);
});

test("the old file stays until the new one is there", async () => {
  const { one, settings, come, disposed, shown } = model();
  one.update(settings);
  await come("a.glb");
  one.update({ ...settings, src: "b.glb" });
  expect(shown()).toBe("a.glb");
  await come("b.glb");
  expect([shown(), disposed]).toEqual(["b.glb", ["a.glb"]]);
});

test("a detailed model replaces the plain one until it is unset; a broken one changes nothing", async () => {
  const { one, settings, come, disposed, shown } = model();
  one.update(settings);
  await come("a.glb");
  one.showDetail("fine.glb", false);
  await come("fine.glb");
  expect(shown()).toBe("fine.glb");
  one.showDetail(null, false);
  await come("a.glb");
  expect([shown(), disposed]).toEqual(["a.glb", ["a.glb", "fine.glb"]]);
  one.showDetail("broken.glb", false);
  await come("broken.glb", "unreadable");
  expect([shown(), one.state]).toEqual(["a.glb", "shown"]);
});

test("a retained detailed model is disposed only with the component", async () => {
  const { one, settings, come, disposed } = model();
  one.update(settings);
  await come("a.glb");
  one.showDetail("fine.glb", true);
  await come("fine.glb");
  one.showDetail(null, true);
  await come("a.glb");
  expect(disposed).toEqual(["a.glb"]);
  one.remove();
  expect(disposed.sort()).toEqual(["a.glb", "a.glb", "fine.glb"]);
});
