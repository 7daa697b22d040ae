import { describe, expect, it } from "vitest";
import { changesFor, countsOf } from "../../../src/editor/gltf/gltf-import.ts";
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

describe("OMI nodes of a glTF file", () => {
  it("are positioned, rotated and scaled by their parents", () => {
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

  it("are absent in other files, and limited in a hostile file", () => {
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

  it("link to a scene of this server, a web page or a spot of the file, and to nothing else", () => {
    const way = (uri: string) => linkTargetOf(uri, "ada/room", ORIGIN);
    expect(way("./garden#pond")).toEqual({ kind: "portal", to: { scene: "ada/garden", landmark: "pond" } });
    expect(way(`${ORIGIN}/public/lobby`)).toEqual({ kind: "portal", to: { scene: "public/lobby", landmark: "" } });
    expect(way("https://omigroup.org/worlds/meetup")).toMatchObject({ kind: "address" });
    expect(way("#Hill%20East")).toEqual({ kind: "here", place: "Hill East" });
    for (const bad of ["javascript:alert(1)", "vrchat://launch?id=1", "data:text/html,x", "http://["])
      expect(way(bad)).toBeNull();
  });
});

describe("an imported glTF scene", () => {
  const made = changesFor(
    { file: "My hall.glb", unique: "abc123", url: "/store/hall.glb", at: { x: 1, y: 0, z: -2 } },
    omiNodesIn(glb(room)) ?? [],
    (uri) => linkTargetOf(uri, "ada/room", ORIGIN),
  );
  const attributesOf = (start: string) =>
    made.flatMap((change) =>
      change.kind === "create" && change.objectId.startsWith(start) ? [change.attributes] : [],
    )[0];

  it("is not counted as a spot for its name", () => {
    const target = { file: "place-1.glb", unique: "abc123", url: "/store/hall.glb", at: { x: 1, y: 0, z: -2 } };
    const named = changesFor(target, omiNodesIn(glb(room)) ?? [], (uri) => linkTargetOf(uri, "ada/room", ORIGIN));
    expect(countsOf(named)).toEqual(countsOf(made));
    expect(countsOf(named).places).toBeGreaterThan(0);
  });

  it("becomes a model object at the given position, with its spots and links as children", () => {
    expect(made[0]).toMatchObject({
      objectId: "my-hall-abc123",
      attributes: { object_type: "gltf-model", url: "/store/hall.glb", position: { x: 1, y: 0, z: -2 } },
    });
    for (const change of made.slice(1)) expect(change).toMatchObject({ attributes: { parent: "my-hall-abc123" } });
  });

  it("makes its first spawn point the starting position", () => {
    expect(attributesOf("place-hill-east")).toMatchObject({ landmark: { label: "Hill East", startingPosition: true } });
  });

  it("gives its links the size of their meshes", () => {
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

describe("objects exported to glTF", () => {
  it("carry OMI_spawn_point for landmarks and OMI_link for portals and links", () => {
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
