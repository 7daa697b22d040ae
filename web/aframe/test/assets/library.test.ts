import { Group } from "three";
import { expect, test } from "vitest";
import { AssetError } from "../../src/assets/asset-error.ts";
import { type AssetConsumer, AssetLibrary, type AssetSource, type LoadedAsset } from "../../src/assets/library.ts";
import type { LoadQueueProgress } from "../../src/assets/load-queue.ts";

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
const named = (src: string): AssetSource => ({ kind: "gltf", src, base: "" });

function library(textureBytesMax = 1_000, textureBytes = 0, plain: readonly string[] = []) {
  const loaded: string[] = [];
  const disposed: string[] = [];
  const progress: LoadQueueProgress[] = [];
  const held = new AssetLibrary({
    textureBytesMax,
    onProgress: (one) => progress.push(one),
    load: async ({ src }) => {
      loaded.push(src);
      if (src === "broken") throw new AssetError("missing", src);
      const bytes = plain.includes(src) ? 0 : textureBytes;
      return { copy: () => new Group(), animations: [], textureBytes: bytes, dispose: () => disposed.push(src) };
    },
  });
  return { held, loaded, disposed, progress };
}

function taker(distanceM = 1) {
  const told: string[] = [];
  const at = { distanceM };
  const one: AssetConsumer = {
    urgency: () => 1 / at.distanceM,
    distance: () => at.distanceM,
    onReady: (_asset: LoadedAsset) => told.push("ready"),
    onBroken: (code) => told.push(code),
    onAway: () => told.push("away"),
  };
  return { one, told, at };
}

test("a shared file is loaded once, and disposed when its last consumer releases it", async () => {
  const { held, loaded, disposed } = library();
  const [first, second] = [taker(), taker()];
  const releaseFirst = held.take(named("a"), first.one);
  const releaseSecond = held.take(named("a"), second.one);
  await settled();
  expect([loaded, first.told, second.told]).toEqual([["a"], ["ready"], ["ready"]]);
  releaseFirst();
  expect(disposed).toEqual([]);
  releaseSecond();
  releaseSecond();
  expect([disposed, held.size]).toEqual([["a"], 0]);
});

test("a later consumer of a broken file gets the same error without a second load", async () => {
  const { held, loaded, progress } = library();
  const [first, late] = [taker(), taker()];
  held.take(named("broken"), first.one);
  await settled();
  held.take(named("broken"), late.one);
  await settled();
  expect([loaded, first.told, late.told]).toEqual([["broken"], ["missing"], ["missing"]]);
  expect(progress.at(-1)).toEqual({ settled: 1, failed: 1, all: 1 });
});

test("a consumer released during loading isn't notified, and the loaded file is disposed", async () => {
  const { held, disposed } = library();
  const { one, told } = taker();
  const release = held.take(named("a"), one);
  // Loading starts in the first microtask and has finished after the second.
  await Promise.resolve();
  release();
  await settled();
  expect([told, disposed, held.size]).toEqual([[], ["a"], 0]);
});

test("over the texture budget the farthest file is unloaded, and reloaded once it is near", async () => {
  const { held, disposed } = library(100, 60);
  const [near, far] = [taker(2), taker(200)];
  held.take(named("far"), far.one);
  await settled();
  held.take(named("near"), near.one);
  await settled();
  expect([near.told, far.told, disposed]).toEqual([["ready"], ["ready", "away"], ["far"]]);
  held.reloadNear(1_000);
  await settled();
  expect(far.told).toEqual(["ready", "away"]);
  far.at.distanceM = 10;
  held.reloadNear(2_000);
  held.reloadNear(3_000);
  await settled();
  expect(far.told).toEqual(["ready", "away", "ready"]);
});

test("a file without textures remains loaded at any distance", async () => {
  const { held, disposed } = library(100, 60, ["sound"]);
  const [sound, far] = [taker(500), taker(200)];
  held.take(named("sound"), sound.one);
  held.take(named("far"), far.one);
  await settled();
  held.take(named("near"), taker(2).one);
  await settled();
  expect([sound.told, far.told, disposed]).toEqual([["ready"], ["ready", "away"], ["far"]]);
});

test("nearby files remain loaded even over the texture budget", async () => {
  const { held, disposed } = library(10, 60);
  for (const src of ["a", "b", "c"]) held.take(named(src), taker(3).one);
  await settled();
  expect([disposed, held.textureBytes]).toEqual([[], 180]);
});
