// @vitest-environment happy-dom
import {
  AdditiveBlending,
  BatchedMesh,
  BoxGeometry,
  type BufferGeometry,
  Color,
  DodecahedronGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  SkinnedMesh,
  SphereGeometry,
  Texture,
  Vector3,
} from "three";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Entity, SceneElement } from "../../src/aframe.ts";
import { BatchesBehaviour } from "../../src/drawing/stoa-batches.ts";
import { BATCHED_MIN, BATCHED_TURNS, CALM_FRAMES } from "../../src/limits.ts";
import { personPart } from "../../src/people/person-part.ts";
import { PointerBehaviour } from "../../src/pressing/stoa-pointer.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

type Shape = { el: Entity; mesh: Mesh<BufferGeometry, MeshStandardMaterial> };

const BOX = new BoxGeometry();
let scene: SceneElement;
let batches: BatchesBehaviour;

beforeEach(() => {
  scene = stubScene();
  batches = new BatchesBehaviour(stubAFrame(), scene, scene);
});

afterEach(() => {
  batches.remove();
  scene.remove();
});

function shape(geometry: BufferGeometry = BOX, x = 0): Shape {
  const el = stubEntity(scene);
  const mesh = new Mesh(geometry, new MeshStandardMaterial({ color: "#ff0000" }));
  el.setObject3D("mesh", mesh);
  el.object3D.position.x = x;
  el.emit("object3dset", { object: mesh, type: "mesh" });
  return { el, mesh };
}

function shapes(count: number, geometry?: BufferGeometry): Shape[] {
  return Array.from({ length: count }, (_, x) => shape(geometry, x));
}

/** Runs enough frames for every shape to be checked and drawn. */
function frames(): void {
  for (let frame = 0; frame <= 2 * BATCHED_TURNS; frame += 1) {
    scene.object3D.updateMatrixWorld();
    batches.sync();
  }
}

function drawn(): BatchedMesh[] {
  return scene.object3D.children.filter((one): one is BatchedMesh => one instanceof BatchedMesh);
}

function only(): BatchedMesh {
  const [batch, ...more] = drawn();
  if (batch === undefined || more.length > 0) throw new Error(`${drawn().length} batches`);
  return batch;
}

function places(batch: BatchedMesh): number[] {
  const shown = Array.from({ length: batch.instanceCount }, (_, at) => at).filter((at) => batch.getVisibleAt(at));
  return shown.map(
    (at) => new Vector3().setFromMatrixPosition(batch.getMatrixAt(at, new Matrix4()) ?? new Matrix4()).x,
  );
}

function colors(batch: BatchedMesh): string[] {
  const all = Array.from({ length: batch.instanceCount }, (_, at) => batch.getColorAt(at, new Color()));
  return all.map((color) => `#${new Color().copy(color as Color).getHexString()}`);
}

test("shapes with equal materials but different geometries are drawn as one batch", () => {
  shapes(BATCHED_MIN - 1);
  shape(new SphereGeometry(), 40);
  frames();
  expect(places(only()).sort((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 40]);
  expect(batches.count).toBe(BATCHED_MIN);
});

test("few shapes are drawn one by one", () => {
  const few = shapes(BATCHED_MIN - 1);
  frames();
  expect(drawn()).toEqual([]);
  expect(few.every(({ mesh }) => mesh.layers.isEnabled(0))).toBe(true);
});

test("indexed and non-indexed geometries go into separate batches", () => {
  shapes(BATCHED_MIN);
  shapes(BATCHED_MIN, new DodecahedronGeometry());
  frames();
  expect(drawn().map((batch) => batch.instanceCount)).toEqual([BATCHED_MIN, BATCHED_MIN]);
});

test("a moved shape is drawn at its new position in the same frame", () => {
  const [first] = shapes(BATCHED_MIN);
  frames();
  first?.el.object3D.position.setX(-3);
  scene.object3D.updateMatrixWorld();
  batches.sync();
  expect(places(only())).toContain(-3);
});

test("a shape's colour change shows within some frames, and its next change in the same frame", () => {
  const [first] = shapes(BATCHED_MIN);
  frames();
  first?.mesh.material.color.set("#0000ff");
  frames();
  first?.mesh.material.color.set("#00ff00");
  scene.object3D.updateMatrixWorld();
  batches.sync();
  expect(colors(only())).toContain("#00ff00");
});

test("a hidden or detached shape is not drawn", () => {
  const [first, second] = shapes(BATCHED_MIN);
  frames();
  if (first) first.el.object3D.visible = false;
  second?.el.object3D.removeFromParent();
  frames();
  expect(places(only())).not.toContain(0);
  expect(places(only())).not.toContain(1);
  expect(places(only())).toHaveLength(BATCHED_MIN - 2);
});

test("a shape with a special material leaves its batch, and returns with a plain one", () => {
  const [first] = shapes(BATCHED_MIN + 1);
  frames();
  const material = first?.mesh.material;
  if (!material) throw new Error("no shape");
  for (const change of [{ transparent: true }, { map: new Texture() }, { metalness: 1 }]) {
    const before = { transparent: material.transparent, map: material.map, metalness: material.metalness };
    Object.assign(material, change);
    frames();
    expect(batches.count).toBe(BATCHED_MIN);
    expect(first?.mesh.layers.isEnabled(0)).toBe(true);
    Object.assign(material, before);
    frames();
    expect(batches.count).toBe(BATCHED_MIN + 1);
    expect(first?.mesh.layers.isEnabled(0)).toBe(false);
    expect(new Set(colors(only())), "in its own colour").toEqual(new Set(["#ff0000"]));
  }
});

test("an additive, colourless or mirrored shape is drawn outside the batch", () => {
  const [shining, hiding, mirrored] = shapes(BATCHED_MIN + 3);
  if (!shining || !hiding || !mirrored) throw new Error("too few");
  shining.mesh.material.blending = AdditiveBlending;
  hiding.mesh.material.colorWrite = false;
  mirrored.el.object3D.scale.x = -1;
  frames();
  expect([only().instanceCount, batches.count]).toEqual([BATCHED_MIN, BATCHED_MIN]);
  mirrored.el.object3D.scale.x = 1;
  frames();
  expect(batches.count).toBe(BATCHED_MIN + 1);
});

test("each frame checks only a share of the resting shapes", () => {
  const all = shapes(BATCHED_MIN * BATCHED_TURNS);
  for (let frame = 0; frame < CALM_FRAMES; frame += BATCHED_TURNS) frames();
  for (const { mesh } of all) mesh.material.transparent = true;
  batches.sync();
  expect(batches.count).toBe(BATCHED_MIN * (BATCHED_TURNS - 1));
});

test("a shape's new geometry replaces the old one in the batch", () => {
  const [first] = shapes(BATCHED_MIN);
  frames();
  if (first) first.mesh.geometry = new SphereGeometry();
  frames();
  expect(only().instanceCount).toBe(BATCHED_MIN);
  expect(batches.count).toBe(BATCHED_MIN);
});

test("a shape leaves the batch when its new geometry has no index", () => {
  const [first] = shapes(BATCHED_MIN);
  frames();
  if (first) first.mesh.geometry = new DodecahedronGeometry();
  frames();
  expect(only().instanceCount).toBe(BATCHED_MIN - 1);
  expect(first?.mesh.layers.isEnabled(0)).toBe(true);
});

test("hundreds of geometries fit into one batch, also after many were removed", () => {
  const forms = Array.from({ length: 300 }, (_, at) => shape(new BoxGeometry(at + 1, 1, 1), at));
  frames();
  expect(only().instanceCount).toBe(300);
  for (const { el } of forms.slice(0, 250)) el.removeObject3D("mesh");
  frames();
  for (const at of Array(250).keys()) shape(new SphereGeometry(at + 1, 8, 8), 1_000 + at);
  frames();
  expect(only().instanceCount).toBe(300);
  expect(batches.count).toBe(300);
});

test("a batch is removed with its last shape", () => {
  const all = shapes(BATCHED_MIN);
  frames();
  for (const { el } of all) el.removeObject3D("mesh");
  frames();
  expect(drawn()).toEqual([]);
  expect(batches.count).toBe(0);
});

function crowd(): Entity[] {
  return Array.from({ length: BATCHED_MIN }, () => {
    const el = stubEntity(scene);
    const body = new Group().add(personPart(stubAFrame(), "head", "#336699"), personPart(stubAFrame(), "eyes", "red"));
    el.setObject3D("stoa-body", body);
    el.emit("object3dset", { object: body, type: "stoa-body" });
    return el;
  });
}

test("all pieces of a person appear and disappear in the same frame", () => {
  const people = crowd();
  frames();
  // Runs until no shape counts as recently changed.
  for (let frame = 0; frame < CALM_FRAMES; frame += 1) batches.sync();
  const pieces = (): number => places(only()).length;
  expect(pieces()).toBe(2 * BATCHED_MIN);
  if (people[1]) people[1].object3D.visible = false;
  batches.sync();
  expect(pieces()).toBe(2 * BATCHED_MIN - 2);
  if (people[1]) people[1].object3D.visible = true;
  batches.sync();
  expect(pieces()).toBe(2 * BATCHED_MIN);
  people[0]?.object3D.removeFromParent();
  batches.sync();
  expect(pieces()).toBe(2 * BATCHED_MIN - 2);
  people[2]?.removeObject3D("stoa-body");
  batches.sync();
  expect(only().instanceCount, "room for others").toBe(2 * BATCHED_MIN - 2);
});

test("people's pieces are drawn as one batch, and removed with their person", () => {
  const people = crowd();
  frames();
  expect(only().instanceCount).toBe(2 * BATCHED_MIN);
  people[0]?.removeObject3D("stoa-body");
  frames();
  expect(only().instanceCount).toBe(2 * BATCHED_MIN - 2);
});

test("skinned and instanced meshes are not batched", () => {
  const kinds = [
    () => new SkinnedMesh(BOX, new MeshStandardMaterial()),
    () => new InstancedMesh(BOX, new MeshStandardMaterial(), 2),
    () => new Mesh(BOX, new MeshStandardMaterial()),
  ];
  for (const [at, make] of kinds.entries()) {
    for (let one = 0; one < BATCHED_MIN; one += 1) {
      const el = stubEntity(scene);
      const body = new Group().add(make());
      el.setObject3D("stoa-body", body);
      el.emit("object3dset", { object: body, type: "stoa-body" });
    }
    frames();
    expect(batches.count, "negative control: plain ones are drawn at once").toBe(at < 2 ? 0 : BATCHED_MIN);
  }
});

test("the meshes of a model are not batched", () => {
  const el = stubEntity(scene);
  const meshes = Array.from({ length: BATCHED_MIN }, () => new Mesh(BOX, new MeshStandardMaterial()));
  const model = new Group().add(...meshes);
  el.setObject3D("mesh", model);
  el.emit("object3dset", { object: model, type: "mesh" });
  frames();
  expect(drawn()).toEqual([]);
});

test("remove returns all shapes to being drawn one by one", () => {
  const all = shapes(BATCHED_MIN);
  frames();
  batches.remove();
  expect(drawn()).toEqual([]);
  expect(all.every(({ mesh }) => mesh.layers.isEnabled(0))).toBe(true);
  expect(Object.hasOwn(scene.object3D, "onBeforeRender"), "it is asked no more").toBe(false);
  shapes(BATCHED_MIN);
  frames();
  expect(drawn(), "what comes later is its own").toEqual([]);
});

test("remove restores three.js's matrix updates of the scene", () => {
  const { object3D } = scene;
  expect(Object.hasOwn(object3D, "updateMatrixWorld"), "negative control").toBe(true);
  batches.remove();
  expect(Object.hasOwn(object3D, "updateMatrixWorld")).toBe(false);
});

test("a ray hits a batched shape once", () => {
  const [first] = shapes(BATCHED_MIN);
  frames();
  const pointer = new PointerBehaviour(stubAFrame(), stubEntity(scene), scene);
  const caster = pointer.makeCaster();
  caster.ray.origin.set(0.1, 0.2, 5);
  caster.ray.direction.set(0, 0, -1);
  const hits = caster.intersectObjects(scene.object3D.children, true).map(({ object }) => object);
  // Controllers have shapes of their own.
  expect(hits.filter((one) => one instanceof BatchedMesh || (one instanceof Mesh && one.geometry === BOX))).toEqual([
    first?.mesh,
  ]);
  pointer.remove();
});
