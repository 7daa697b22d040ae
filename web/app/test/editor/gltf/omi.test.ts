import { describe, expect, it } from "vitest";
import { changesFor } from "../../../src/editor/gltf/gltf-import.ts";
import { extensionsOf, linkTargetOf, omiNodesIn } from "../../../src/editor/gltf/omi.ts";

const ORIGIN = "https://realm.test";

/** A binary glTF of this JSON, without buffers. */
function glb(json: object): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify({ asset: { version: "2.0" }, ...json }));
  const padded = text.length + ((4 - (text.length % 4)) % 4);
  const bytes = new Uint8Array(20 + padded).fill(0x20);
  const view = new DataView(bytes.buffer);
  for (const [at, value] of [0x46546c67, 2, bytes.length, padded, 0x4e4f534a].entries())
    view.setUint32(4 * at, value, true);
  bytes.set(text, 20);
  return bytes;
}

const half = Math.SQRT1_2;
const room = {
  scenes: [{ nodes: [0, 3] }],
  nodes: [
    { name: "hall", translation: [0, 1, 0], rotation: [0, half, 0, half], scale: [2, 2, 2], children: [1, 2] },
    { name: "hill", translation: [0, 0, 1], extensions: { OMI_spawn_point: { title: "Hill East", team: "Red" } } },
    {
      name: "gate",
      translation: [1, 0, 0],
      mesh: 0,
      extensions: { OMI_link: { uri: "./garden#pond", title: "Garden" } },
    },
    { name: "back", extensions: { OMI_link: { uri: "#Hill%20East" } } },
  ],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
  accessors: [{ min: [-0.5, 0, 0], max: [0.5, 2, 0.1] }],
};

describe("what a glTF scene says", () => {
  it("is where its nodes are, turned and sized by those above", () => {
    const found = omiNodesIn(glb(room)) ?? [];
    const of = (title: string) => found.find((one) => one.title === title);
    expect(of("Hill East")).toMatchObject({ kind: "spawn-point", at: { position: { x: 2, y: 1, z: 0 } } });
    expect(of("Hill East")?.at.rotation.y).toBeCloseTo(half);
    expect(of("Garden")).toMatchObject({
      kind: "link",
      uri: "./garden#pond",
      at: { position: { x: 0, y: 1, z: -2 }, scale: { x: 2, y: 2, z: 2 } },
    });
    expect(of("Garden")?.bounds).toEqual({ center: { x: 0, y: 1, z: 0.05 }, size: { x: 1, y: 2, z: 0.1 } });
    expect(of("back")).toMatchObject({ kind: "link", bounds: null });
  });

  it("is nothing in what is no glTF, and bounded in a hostile one", () => {
    expect(omiNodesIn(new TextEncoder().encode("<html>no model, but long enough</html>"))).toBeUndefined();
    const loop = {
      scenes: [{ nodes: [0] }],
      nodes: [{ children: [0, 0, 7, -1, "x"], extensions: { OMI_spawn_point: {} } }],
    };
    expect(omiNodesIn(glb(loop))).toHaveLength(1);
    const many = Array.from({ length: 500 }, () => ({ extensions: { OMI_spawn_point: { title: "x".repeat(9_000) } } }));
    const found = omiNodesIn(glb({ scenes: [{ nodes: many.map((_, at) => at) }], nodes: many })) ?? [];
    expect([found.length, found[0]?.title.length]).toEqual([64, 512]);
    const wild = [{ translation: [1e300, 0, 0], scale: [1e300, 1, 1], extensions: { OMI_spawn_point: {} } }];
    expect(omiNodesIn(glb({ scenes: [{ nodes: [0] }], nodes: wild }))).toEqual([]);
  });

  it("leads to a scene of this realm, to a page, or to a place in the file, and nowhere else", () => {
    const way = (uri: string) => linkTargetOf(uri, "ada/room", ORIGIN);
    expect(way("./garden#pond")).toEqual({ kind: "portal", to: { scene: "ada/garden", landmark: "pond" } });
    expect(way(`${ORIGIN}/public/lobby`)).toEqual({ kind: "portal", to: { scene: "public/lobby", landmark: "" } });
    expect(way("https://omigroup.org/worlds/meetup")).toMatchObject({ kind: "address" });
    expect(way("#Hill%20East")).toEqual({ kind: "here", place: "Hill East" });
    for (const bad of ["javascript:alert(1)", "vrchat://launch?id=1", "data:text/html,x", "http://["])
      expect(way(bad)).toBeNull();
  });
});

describe("a glTF scene as objects", () => {
  const made = changesFor(
    { file: "My hall.glb", unique: "abc123", url: "/store/hall.glb", at: { x: 1, y: 0, z: -2 } },
    omiNodesIn(glb(room)) ?? [],
    (uri) => linkTargetOf(uri, "ada/room", ORIGIN),
  );
  const attributesOf = (start: string) =>
    made.flatMap((change) =>
      change.kind === "create" && change.objectId.startsWith(start) ? [change.attributes] : [],
    )[0];

  it("is one object that shows it, where it is put, with the others on it", () => {
    expect(made[0]).toMatchObject({
      objectId: "my-hall-abc123",
      attributes: { object_type: "gltf-model", url: "/store/hall.glb", position: { x: 1, y: 0, z: -2 } },
    });
    for (const change of made.slice(1)) expect(change).toMatchObject({ attributes: { parent: "my-hall-abc123" } });
  });

  it("begins at its first place", () => {
    expect(attributesOf("place-hill-east")).toMatchObject({ landmark: { label: "Hill East", startingPosition: true } });
  });

  it("has doors as large as what is seen of them", () => {
    const gate = attributesOf("door-garden");
    expect(gate).toMatchObject({
      portal: { scene: "ada/garden", landmark: "pond" },
      width: 2.04,
      height: 4.08,
      material: { opacity: 0 },
    });
    expect(gate?.position).toMatchObject({ y: 3 });
    const back = attributesOf("door-back");
    expect(back).toMatchObject({ width: 0.9, "goto-landmark": { on: "mousedown" } });
    expect(JSON.stringify(back)).toContain("place-hill-east");
  });
});

describe("our objects in a glTF scene", () => {
  it("say where one arrives and where they lead", () => {
    const landmark = { label: "Stage", startingPosition: true };
    expect(extensionsOf("stage", { landmark }, ORIGIN)).toEqual({
      OMI_spawn_point: { title: "Stage", group: "start" },
    });
    const portal = { scene: "public/lobby", landmark: "the door" };
    expect(extensionsOf("door", { portal }, ORIGIN)).toEqual({
      OMI_link: { uri: `${ORIGIN}/public/lobby#the%20door`, title: "door" },
    });
    expect(extensionsOf("sign", { "goto-url": { url: "/public/lobby" } }, ORIGIN)).toMatchObject({
      OMI_link: { uri: `${ORIGIN}/public/lobby` },
    });
    expect(extensionsOf("box", { object_type: "box" }, ORIGIN)).toEqual({});
  });
});
