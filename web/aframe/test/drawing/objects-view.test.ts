import { Group, Object3D } from "three";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ObjectsView } from "../../src/drawing/objects-view.ts";
import { stubEntity, stubScene } from "../stub-aframe.ts";

// Gives the view's entities their three.js part, as A-Frame would.
const create = document.createElement.bind(document);
beforeEach(() => {
  vi.spyOn(document, "createElement").mockImplementation((tag: string) =>
    Object.assign(create(tag), { object3D: new Group(), getObject3D: () => undefined }),
  );
});
afterEach(() => vi.restoreAllMocks());

function view(leave: () => boolean = () => false) {
  const root = stubEntity(stubScene());
  const people = new Map<string, Object3D>();
  const smoothed: (string | undefined)[] = [];
  const objects = new ObjectsView({
    base: "https://realm.local/",
    root,
    personSpace: (idTag) => people.get(idTag) ?? null,
    onGone: () => undefined,
    leave,
    smooth: (el, change) => {
      smoothed.push(el.dataset.objectId);
      change();
    },
  });
  const put = (objectId: string, attributes: Record<string, unknown>) =>
    objects.apply(objectId, {
      objectId,
      type: "object",
      attributes: { object_type: "box", ...attributes },
      persist: true,
    });
  const parentOf = (objectId: string) => objects.get(objectId)?.object3D.parent;
  return { root, people, objects, put, parentOf, smoothed };
}

test("an update touches only the components that changed", () => {
  const { objects, put } = view();
  put("a", { position: { x: 0, y: 0, z: 0 }, material: { color: "#ff0000" }, shadow: { cast: true } });
  const el = objects.get("a");
  const set = vi.spyOn(el ?? create("i"), "setAttribute");
  const removed = vi.spyOn(el ?? create("i"), "removeAttribute");
  put("a", { position: { x: 1, y: 0, z: 0 }, material: { color: "#ff0000" } });
  expect(set.mock.calls.map(([name]) => name)).toEqual(["position"]);
  expect(removed.mock.calls).toEqual([["shadow"]]);
});

test("components removed for an exit animation still know the object's id", () => {
  const { objects, put } = view(() => true);
  put("a", { "physx-body": { type: "static" } });
  const el = objects.get("a") ?? create("i");
  const ids: unknown[] = [];
  const remove = el.removeAttribute.bind(el);
  vi.spyOn(el, "removeAttribute").mockImplementation((name: string) => {
    if (name === "stoa-body") ids.push(el.dataset.objectId);
    remove(name);
  });
  objects.remove("a");
  expect([ids, el.dataset.objectId]).toEqual([["a"], undefined]);
});

test("a child is attached to its parent, and to the root once its parent is none", () => {
  const { root, objects, put, parentOf } = view();
  put("table", {});
  put("cup", { parent: "table" });
  expect(parentOf("cup")).toBe(objects.get("table")?.object3D);
  put("cup", { parent: null });
  expect(parentOf("cup")).toBe(root.object3D);
});

test("a child stays detached until its parent is added", () => {
  const { objects, put, parentOf } = view();
  put("cup", { parent: "table" });
  expect(parentOf("cup")).toBeNull();
  put("table", {});
  expect(parentOf("cup")).toBe(objects.get("table")?.object3D);
});

test("a child is detached when its parent is removed", () => {
  const { objects, put, parentOf } = view();
  put("table", {});
  put("cup", { parent: "table" });
  objects.remove("table");
  expect(parentOf("cup")).toBeNull();
});

test("a person's idTag is a parent while the person is there", () => {
  const { people, objects, put, parentOf } = view();
  put("hat", { parent: "ann_1" });
  expect(parentOf("hat")).toBeNull();
  const head = new Object3D();
  people.set("ann_1", head);
  objects.attachChildren("ann_1");
  expect(parentOf("hat")).toBe(head);
  people.delete("ann_1");
  objects.attachChildren("ann_1");
  expect(parentOf("hat")).toBeNull();
});

test("a cycle of parents creates no endless chain of objects", () => {
  const { put, parentOf } = view();
  put("a", { parent: "b" });
  put("b", { parent: "a" });
  put("self", { parent: "self" });
  const depth = (id: string) => {
    let steps = 0;
    for (let at = parentOf(id); at && steps < 100; at = at.parent ?? null) steps += 1;
    return steps;
  };
  expect(Math.max(depth("a"), depth("b"), depth("self"))).toBeLessThan(3);
});

test("removing all objects leaves no entities behind", () => {
  const { root, objects, put } = view();
  const before = root.children.length;
  for (let at = 0; at < 50; at += 1) put(`o${at}`, at % 2 ? { parent: `o${at - 1}` } : {});
  expect(root.children.length).toBe(before + 50);
  objects.retain(new Map());
  expect(root.children.length).toBe(before);
});

test("a scene option makes every object pressable, and keeps each object's own click-listener", () => {
  const { objects, put } = view();
  put("box", {});
  expect(objects.targets(false), "negative control").toEqual([]);
  objects.isEveryPressable = true;
  put("box", {});
  put("quiet", { "click-listener": { enabled: true, bubble: false } });
  expect(objects.targets(false).length).toBe(2);
  const set = vi.spyOn(objects.get("quiet") ?? create("i"), "setAttribute");
  put("quiet", { "click-listener": { enabled: true, bubble: false }, visible: true });
  expect(set.mock.calls.map(([name]) => name)).toEqual(["visible"]);
  objects.isEveryPressable = false;
  put("box", {});
  expect(objects.targets(false)).toEqual([objects.get("quiet")?.object3D]);
});

test("pointer targets are the pressable objects, and in edit mode all objects", () => {
  const { objects, put } = view();
  put("wall", {});
  put("button", { "click-listener": true });
  expect(objects.targets(false)).toEqual([objects.get("button")?.object3D]);
  expect(objects.targets(true).length).toBe(2);
});

test("apply reports whether the pointer targets may have changed", () => {
  const { put } = view();
  expect(put("a", {})).toBe(true);
  expect(put("a", { position: { x: 1, y: 0, z: 0 } })).toBe(false);
  expect(put("a", { "click-listener": true })).toBe(true);
});

test("an existing object moves smoothly; a new, animated or reparented one jumps", () => {
  const { objects, put, smoothed } = view();
  const load = (id: string) => Object.assign(objects.get(id) ?? create("i"), { hasLoaded: true });
  for (const id of ["a", "b", "c"]) put(id, {});
  for (const id of ["a", "b", "c"]) load(id);
  put("a", { position: { x: 1, y: 0, z: 0 } });
  put("b", { position: { x: 1, y: 0, z: 0 }, animation: { property: "position", to: "0 1 0" } });
  put("c", { position: { x: 1, y: 0, z: 0 }, parent: "a" });
  expect(smoothed).toEqual(["a"]);
});

test("restore returns a dragged object to its last set position", () => {
  const { objects, put } = view();
  put("a", { position: { x: 1, y: 2, z: 3 } });
  objects.get("a")?.object3D.position.set(7, 8, 9);
  objects.restore("a");
  expect(objects.get("a")?.object3D.position.toArray()).toEqual([1, 2, 3]);
});
