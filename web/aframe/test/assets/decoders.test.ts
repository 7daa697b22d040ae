/** Files that need decoders or have dependencies: fetched URLs and bytes, and disposal with the scene. */
import * as THREE from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { afterEach, expect, test, vi } from "vitest";
import { AFrameAdapter } from "../../src/aframe.ts";
import { SceneGltfLoaderFactory } from "../../src/assets/decoders.ts";
import { ByteBudget } from "../../src/assets/fetch-asset.ts";
import { loadAsset } from "../../src/assets/load-asset.ts";
import { FileDependencyLoader } from "../../src/assets/parse-context.ts";
import { ENDED, librariesOf } from "../../src/assets/scene-libraries.ts";
import { stubAFrame, stubScene } from "../stub-aframe.ts";

afterEach(() => vi.restoreAllMocks());

/** A-Frame with decoders that record their disposal. */
function decoding() {
  const ended: string[] = [];
  const decoder = (name: string) =>
    class {
      setDecoderPath = () => this;
      setTranscoderPath = () => this;
      detectSupport = () => this;
      dispose = () => ended.push(name);
    };
  const loaders = { GLTFLoader, DRACOLoader: decoder("draco"), KTX2Loader: decoder("ktx2") };
  const nothing = { components: {}, systems: {}, geometries: {}, shaders: {} };
  const aframe = new AFrameAdapter({ THREE: { ...THREE, ...loaders }, ...nothing });
  return { aframe, ended };
}

test("a transcoder that couldn't be fetched is fetched again for the next file", async () => {
  const { aframe } = decoding();
  const decoders = new SceneGltfLoaderFactory(aframe, stubScene().renderer);
  const answers = [new Response("", { status: 503 }), new Response("script")];
  const fetched = vi.spyOn(globalThis, "fetch").mockImplementation(async () => answers.shift() ?? new Response(""));
  const load = () => decoders.gltf(new THREE.LoadingManager(), ["KHR_texture_basisu"]);
  await expect(load()).rejects.toThrow(/unreachable/);
  await load();
  await load();
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("decoders are disposed when the scene ends, and the next library is a new one", async () => {
  const { aframe, ended } = decoding();
  const model = JSON.stringify({
    ...{ asset: { version: "2.0" }, scene: 0, scenes: [{}] },
    extensionsUsed: ["KHR_draco_mesh_compression"],
  });
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(model));
  const [scene, libraryOf] = [stubScene(), librariesOf(aframe)];
  const library = libraryOf(scene);
  const gone = new Promise<void>((resolve) => {
    const nothing = { urgency: () => 1, distance: () => 1, onAway: () => undefined, onBroken: () => resolve() };
    library.take({ kind: "gltf", src: "/a.glb", base: "" }, { ...nothing, onReady: () => resolve() });
  });
  await gone;
  expect(ended).toEqual([]);
  scene.emit(ENDED, null, false);
  expect([ended, libraryOf(scene) === library]).toEqual([["draco"], false]);
});

test("a disposed picture is removed from A-Frame's texture cache", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("pixels"));
  vi.spyOn(globalThis, "Image").mockImplementation(function picture() {
    return Object.assign(document.createElement("img"), { decode: async () => undefined });
  });
  const scene = stubScene();
  const decoders = { gltf: async () => new GLTFLoader() };
  const name = { kind: "picture", src: "/store/a.png", base: "" } as const;
  const asset = await loadAsset({ aframe: stubAFrame(), scene, decoders }, name, new AbortController().signal, 1e9);
  const sourceCache = { [asset.address ?? ""]: "its picture", "/store/b.png": "another's" };
  Object.assign(scene, { systems: { material: { sourceCache } } });
  asset.dispose();
  expect(Object.keys(sourceCache)).toEqual(["/store/b.png"]);
});

test("files fetched at the same time share one byte budget", async () => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(new Uint8Array(40)));
  const loaders = { gltf: async () => new GLTFLoader() };
  const parsing = {
    aframe: stubAFrame(),
    loaders,
    url: "https://realm.local/store/a.urdf",
    base: "https://realm.local/store/",
  };
  const files = new FileDependencyLoader({
    ...parsing,
    budget: new ByteBudget(100),
    signal: new AbortController().signal,
  });
  const results = await Promise.allSettled(["a.stl", "b.stl", "c.stl"].map((name) => files.fetch(name)));
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "fulfilled", "rejected"]);
});
