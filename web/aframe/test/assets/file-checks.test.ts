/** Checks of files before three.js parses them. */
import { BoxGeometry, Mesh, MeshBasicMaterial, ShaderMaterial, Texture } from "three";
import { expect, test } from "vitest";
import { gltfHeader } from "../../src/assets/gltf-header.ts";
import { textureBytesMax } from "../../src/assets/texture-budget.ts";
import { bytesOf, fitTextures, sideFor, within } from "../../src/assets/textures.ts";
import { boundedScene, picturesOf } from "../../src/assets/three-json.ts";
import { nameTest } from "../../src/drawing/name-pattern.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("a glTF header lists the extensions and files that the model uses", () => {
  const json = {
    asset: { version: "2.0" },
    extensionsUsed: ["KHR_texture_basisu", 7],
    buffers: [{ uri: "a.bin" }, { uri: "data:,x" }, {}],
    images: [{ uri: "a.ktx2" }, { bufferView: 0 }],
  };
  expect(gltfHeader(bytes(JSON.stringify(json)))).toEqual({
    extensions: ["KHR_texture_basisu"],
    files: ["a.bin", "a.ktx2"],
  });
});

test("a file that isn't glTF is rejected as unreadable", () => {
  const cutOff = new Uint8Array(32);
  new DataView(cutOff.buffer).setUint32(0, 0x46546c67, true);
  new DataView(cutOff.buffer).setUint32(12, 1e9, true);
  new DataView(cutOff.buffer).setUint32(16, 0x4e4f534a, true);
  for (const wrong of [bytes("hello"), bytes("{}"), bytes("[1]"), new Uint8Array(), cutOff]) {
    expect(() => gltfHeader(wrong)).toThrow(/unreadable/);
  }
});

test("textures get the largest size that fits the remaining budget, or else the smallest size", () => {
  const large = { width: 8_192, height: 4_096 };
  expect(within(large, 1_024)).toEqual({ width: 1_024, height: 512 });
  expect(within({ width: 3, height: 2 }, 1_024)).toEqual({ width: 3, height: 2 });
  expect(sideFor([large], Number.POSITIVE_INFINITY)).toBe(4_096);
  expect(sideFor([large, large], 2 * bytesOf({ width: 1_024, height: 512 }))).toBe(1_024);
  expect(sideFor([large], 0)).toBe(128);
});

test("textures in shader uniforms count towards the texture budget, each texture once", async () => {
  const map = new Texture({ width: 64, height: 64 });
  const shaded = new Mesh(
    new BoxGeometry(),
    new ShaderMaterial({ uniforms: { map: { value: map }, far: { value: 3 } } }),
  );
  shaded.add(new Mesh(new BoxGeometry(), new MeshBasicMaterial({ map })));
  expect(await fitTextures(shaded, Number.POSITIVE_INFINITY)).toBe(bytesOf({ width: 64, height: 64 }));
  shaded.clear();
  expect(await fitTextures(shaded, Number.POSITIVE_INFINITY)).toBe(bytesOf({ width: 64, height: 64 }));
});

test("a phone's texture budget is below a laptop's; touch points decide if deviceMemory is missing", () => {
  const [phone, laptop] = [{ maxTouchPoints: 5 }, { maxTouchPoints: 0 }];
  expect(textureBytesMax(phone)).toBeLessThan(textureBytesMax(laptop));
  expect(textureBytesMax({ ...phone, deviceMemory: 8 })).toBe(textureBytesMax(laptop));
  expect(textureBytesMax({ ...laptop, deviceMemory: 2 })).toBe(textureBytesMax(phone));
});

test("a three.js scene loses its shaders, its numbers are clamped, and its parts are limited", () => {
  const scene = {
    object: { type: "Group", children: [{ type: "Mesh" }, { type: "Mesh" }] },
    geometries: [{ uuid: "g", type: "SphereGeometry", radius: 1e12, widthSegments: 1e9, detail: 40 }],
    materials: [
      { uuid: "m", type: "RawShaderMaterial", vertexShader: "…" },
      { uuid: "n", type: "MeshBasicMaterial" },
    ],
    images: [{ url: "a.png" }, { url: ["b.png", "c.png"] }, { url: { data: [] } }],
  };
  const bounded = boundedScene(JSON.stringify(scene), 100);
  expect(bounded.geometries).toEqual([
    { uuid: "g", type: "SphereGeometry", radius: 1e6, widthSegments: 256, detail: 5 },
  ]);
  expect(bounded.materials).toEqual([
    { uuid: "m", type: "MeshStandardMaterial" },
    { uuid: "n", type: "MeshBasicMaterial" },
  ]);
  expect(picturesOf(bounded)).toEqual(["a.png", "b.png", "c.png"]);
  expect(() => boundedScene(JSON.stringify(scene), 8)).toThrow(/too-large/);
  for (const wrong of ["", "[]", "{}", '{"object": 1}']) expect(() => boundedScene(wrong, 8)).toThrow(/unreadable/);
});

test("a pattern's stars stand for any letters, a regular expression means itself", () => {
  const means = (pattern: string, isRegExp = false) =>
    ["walk", "walk_fast", "run", ""].filter(nameTest(pattern, isRegExp));
  expect(means("*")).toEqual(["walk", "walk_fast", "run", ""]);
  expect(means("walk*")).toEqual(["walk", "walk_fast"]);
  expect(means("w*k*t")).toEqual(["walk_fast"]);
  expect(means("walk")).toEqual(["walk"]);
  expect(means("w.lk")).toEqual([]);
  expect(means("^(walk|run)$", true)).toEqual(["walk", "run"]);
});

test("a slow, invalid or overlong name pattern matches nothing, in under 100 ms", () => {
  const name = `${"a".repeat(500)}!`;
  for (const pattern of ["(a+)+$", "(a|a)*$", ".*.*.*.*!", "(a)\\1", "(", "a".repeat(65)]) {
    const started = performance.now();
    expect(nameTest(pattern, true)(name), pattern).toBe(false);
    expect(performance.now() - started).toBeLessThan(100);
  }
  expect(nameTest(`${"*a".repeat(200)}b`, false)(name)).toBe(false);
});
