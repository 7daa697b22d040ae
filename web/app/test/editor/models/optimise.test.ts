// @vitest-environment node
import { WebIO } from "@gltf-transform/core";
import { ALL_EXTENSIONS } from "@gltf-transform/extensions";
import { MeshoptDecoder } from "meshoptimizer";
import { describe, expect, it } from "vitest";
import { jsonOf, optimise, pack, reasonNotToOptimise } from "../../../src/editor/models/optimise.ts";
import { faultsOf } from "../../../src/editor/models/validate.ts";
import { makeModel } from "../model.ts";

describe("optimising a model", () => {
  it("makes it smaller by meshopt, WebP and merged meshes, and keeps its named nodes", async () => {
    const before = await makeModel({ side: 64, twice: true });
    expect(await faultsOf(before)).toEqual([]);
    const told: number[] = [];
    const encode = () => Promise.resolve(new Uint8Array([1, 2, 3]));
    const after = await optimise(before, encode, (done) => told.push(done));
    expect(after.length).toBeLessThan(before.length / 4);
    expect(told.at(-1)).toBe(1);
    const json = JSON.stringify(jsonOf(after));
    expect(json).toContain("meshopt_compression");
    expect(json).toContain("EXT_texture_webp");
    await MeshoptDecoder.ready;
    const io = new WebIO()
      .registerExtensions(ALL_EXTENSIONS)
      .registerDependencies({ "meshopt.decoder": MeshoptDecoder });
    const root = (await io.readBinary(after)).getRoot();
    expect(root.listNodes().map((node) => node.getName())).toContain("door");
    expect(root.listMeshes().length, "the two meshes were one and the same").toBe(1);
  });

  it("keeps a texture that WebP would make larger", async () => {
    const before = await makeModel({ side: 8 });
    const after = await optimise(before, (image) => Promise.resolve(new Uint8Array(image.length + 1)));
    expect(JSON.stringify(jsonOf(after))).not.toContain("webp");
  });

  it("reports the faults of a truncated model", async () => {
    const whole = await makeModel({ side: 8 });
    const faults = await faultsOf(whole.slice(0, whole.length - 100));
    expect(faults.join(" ")).toMatch(/unexpected end/i);
  });

  it("packs a .gltf with its resources, and rejects one whose resource is missing", async () => {
    const io = new WebIO();
    const { json, resources } = await io.writeJSON(await io.readBinary(await makeModel({ side: 8 })));
    const bytes = await pack({ json, resources });
    expect(await faultsOf(bytes)).toEqual([]);
    await expect(pack({ json, resources: {} })).rejects.toThrow(/buffer|bin|resource/i);
  });

  it("skips a model with extensions that it would break", () => {
    expect(reasonNotToOptimise({ extensionsUsed: ["KHR_materials_unlit", "VRMC_vrm"] })).toBe("VRMC_vrm");
    expect(reasonNotToOptimise({ extensionsUsed: ["OMI_spawn_point"] })).toBe("OMI_spawn_point");
    expect(reasonNotToOptimise({ extensionsUsed: ["KHR_materials_unlit"] })).toBeNull();
    expect(reasonNotToOptimise(jsonOf(new Uint8Array(3)))).toBeNull();
  });
});
