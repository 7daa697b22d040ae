import { Group, Mesh } from "three";
import { expect, test } from "vitest";
import { OmiNodeRegistry } from "../../src/locomotion/omi-nodes.ts";
import { stubEntity, stubScene } from "../stub-aframe.ts";

const BASE = "https://realm.test/ada/room";

/** A model with a gate, a link back and spawn points, as parsed by three.js. */
function hall() {
  const node = (name: string, gltfExtensions: object) =>
    Object.assign(new Group(), { userData: { name, gltfExtensions } });
  const gate = node("Gate", { OMI_link: { uri: "./garden#pond" } });
  const back = node("Back", { OMI_link: { uri: "#Hill%20East" } });
  const bad = node("Bad", { OMI_link: { uri: "javascript:alert(1)" } });
  const lost = node("Lost", { OMI_link: { uri: "#Nowhere" } });
  const hill = node("Hill", { OMI_spawn_point: { title: "Hill East" } });
  const low = node("Low Land", { OMI_spawn_point: {} });
  const nameless = node("", { OMI_spawn_point: {} });
  const model = new Group().add(gate, back, bad, lost, hill, low, nameless);
  const leaf = new Mesh();
  gate.add(leaf);
  return { model, gate, back, bad, lost, hill, low, leaf };
}

function meant() {
  const scene = stubScene();
  const told: unknown[] = [];
  const models = new OmiNodeRegistry({
    base: BASE,
    open: (url) => told.push(["open", url]),
    goTo: (placeId) => told.push(["go", placeId]),
    onChange: () => told.push("changed"),
  });
  return { models, told, el: stubEntity(scene, "hall") };
}

test("spawn points of a model are listed by title or node name, and nameless ones are left out", () => {
  const { models, el } = meant();
  const { model, hill } = hall();
  models.show(el, model);
  expect(models.places(() => false)).toMatchObject([
    { objectId: "hall#1", label: "Hill East" },
    { objectId: "hall#2", label: "Low Land" },
  ]);
  expect(models.find("hall#1")).toBe(hill);
  expect(models.find("hall#9")).toBeNull();
});

test("a model whose spawn points are represented by objects lists none", () => {
  const { models, el } = meant();
  models.show(el, hall().model);
  expect(models.places((objectId) => objectId === "hall")).toEqual([]);
});

test("a press on a link node opens its URL, or goes to its spawn point in the same file", () => {
  const { models, el, told } = meant();
  const { model, gate, back, leaf } = hall();
  models.show(el, model);
  expect(models.doors).toContain(gate);
  told.length = 0;
  expect(models.press(leaf)).toBe(true);
  expect(models.press(back)).toBe(true);
  expect(told).toEqual([
    ["open", "https://realm.test/ada/garden#pond"],
    ["go", "hall#1"],
  ]);
});

test("a node with an unsafe, unresolved or missing link can't be pressed", () => {
  const { models, el, told } = meant();
  const { model, bad, lost, hill } = hall();
  models.show(el, model);
  told.length = 0;
  expect([bad, lost, hill, null].map((node) => models.press(node))).toEqual([false, false, false, false]);
  expect(told).toEqual([]);
});

test("a forgotten model loses its links and spawn points, and only real changes are reported", () => {
  const { models, el, told } = meant();
  models.show(el, new Group());
  expect(told).toEqual([]);
  models.show(el, hall().model);
  models.forget(el);
  models.forget(el);
  expect(told).toEqual(["changed", "changed"]);
  expect([models.doors, models.places(() => false)]).toEqual([[], []]);
});

test("a model has at most 64 spawn points, with labels of at most 100 characters", () => {
  const { models, el } = meant();
  const many = new Group();
  for (let at = 0; at < 1_000; at += 1) {
    const node = new Group();
    node.userData = { name: `p${at}`, gltfExtensions: { OMI_spawn_point: { title: "x".repeat(400) } } };
    many.add(node);
  }
  models.show(el, many);
  const places = models.places(() => false);
  expect([places.length, places[0]?.label.length]).toEqual([64, 100]);
});
