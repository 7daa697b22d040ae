// Undo and redo of own changes, among other people's.
import { describe, expect, it } from "vitest";
import { mergeAttributes } from "../src/merge.ts";
import type { Attributes, ChangeOptions, SceneObject } from "../src/types.ts";
import type { RealmChangeRequest } from "../src/undo.ts";
import { UndoStack } from "../src/undo-stack.ts";

/** A scene that applies each change at once, with one person's undo stack. */
class Scene {
  readonly objects = new Map<string, SceneObject>();
  now = 0;
  refuses = false;
  readonly requests: RealmChangeRequest[] = [];
  readonly stack = new UndoStack({
    objects: this.objects,
    now: () => this.now,
    send: async (request) => {
      this.requests.push(request);
      this.#take(request);
    },
  });

  #take(request: RealmChangeRequest): void {
    const { objectId } = request;
    const old = this.objects.get(objectId);
    if (request.kind === "remove") {
      this.objects.delete(objectId);
      for (const { objectId: id, attributes } of [...this.objects.values()])
        if (attributes.parent === objectId) this.#take({ kind: "remove", objectId: id });
      return;
    }
    const { type = "object", persist = false } = old ?? request.options;
    const base = request.kind === "update" ? (old?.attributes ?? {}) : {};
    this.objects.set(objectId, { objectId, type, persist, attributes: mergeAttributes(base, request.attributes) });
  }

  /** Own changes. Each advances the time, so that it is a step of its own. */
  create(objectId: string, attributes: Attributes, options: ChangeOptions = { persist: true }): void {
    this.#note(this.stack.noteCreate(objectId, attributes, options), { kind: "create", objectId, attributes, options });
  }

  update(objectId: string, attributes: Attributes, afterMs = 10_000): void {
    this.now += afterMs;
    this.#note(this.stack.noteUpdate(objectId, attributes, {}), {
      kind: "update",
      objectId,
      attributes,
      options: {},
    });
  }

  remove(objectId: string): void {
    this.#note(this.stack.noteRemove(objectId), { kind: "remove", objectId });
  }

  #note(note: (done: Promise<void>) => void, request: RealmChangeRequest): void {
    this.now += 10;
    if (!this.refuses) this.#take(request);
    note(this.refuses ? Promise.reject(new Error("refused")) : Promise.resolve());
  }

  /** Another person's change. */
  others(name: string, request: RealmChangeRequest): void {
    this.#take(request);
    this.stack.handleOthers(request.objectId, request.kind === "remove" ? [] : Object.keys(request.attributes), name);
  }

  attributes(objectId: string): Attributes | undefined {
    return this.objects.get(objectId)?.attributes;
  }
}

const changing = (objectId: string, attributes: Attributes): RealmChangeRequest => ({
  kind: "update",
  objectId,
  attributes,
  options: {},
});

describe("undo", () => {
  it("reverts own changes step by step, and redo repeats them", async () => {
    const scene = new Scene();
    scene.create("lamp", { color: "white", position: { x: 0, y: 1 } });
    scene.update("lamp", { position: { x: 5 } });
    scene.update("lamp", { color: null, label: "mine" });
    const states = [];
    while (scene.stack.canUndo) {
      await scene.stack.undo();
      states.push(scene.attributes("lamp"));
    }
    expect(states).toEqual([
      { color: "white", position: { x: 5, y: 1 } },
      { color: "white", position: { x: 0, y: 1 } },
      undefined,
    ]);
    while (scene.stack.canRedo) await scene.stack.redo();
    expect(scene.objects.get("lamp")).toEqual({
      objectId: "lamp",
      type: "object",
      persist: true,
      attributes: { label: "mine", position: { x: 5, y: 1 } },
    });
  });

  it("keeps values that another person changed since, and names that person", async () => {
    const scene = new Scene();
    scene.create("lamp", { color: "white", x: 0 });
    scene.update("lamp", { color: "red", x: 1 });
    scene.others("Ada", changing("lamp", { color: "green" }));
    const undone = await scene.stack.undo();
    expect(scene.attributes("lamp")).toEqual({ color: "green", x: 0 });
    expect(undone).toEqual({ done: true, left: [{ objectId: "lamp", why: "changed", keys: ["color"], by: "Ada" }] });
    await scene.stack.redo();
    expect(scene.attributes("lamp"), "only what was undone is done again").toEqual({ color: "green", x: 1 });
  });

  it("keeps a created object that another person changed or attached a child to", async () => {
    const scene = new Scene();
    scene.create("table", {});
    scene.create("lamp", { x: 0 });
    scene.others("Ada", changing("lamp", { x: 9 }));
    scene.others("Ada", { kind: "create", objectId: "cup", attributes: { parent: "table" }, options: {} });
    expect((await scene.stack.undo()).left).toEqual([{ objectId: "lamp", why: "changed", keys: ["x"], by: "Ada" }]);
    expect((await scene.stack.undo()).left[0]?.why).toBe("carries");
    expect([...scene.objects.keys()].sort()).toEqual(["cup", "lamp", "table"]);
  });

  it("restores a removed object with its descendants, parents first", async () => {
    const scene = new Scene();
    scene.create("table", { x: 1 });
    scene.others("Ada", {
      kind: "create",
      objectId: "cup",
      attributes: { parent: "table" },
      options: { persist: true },
    });
    scene.remove("table");
    expect(scene.objects.size).toBe(0);
    await scene.stack.undo();
    expect(scene.requests.map(({ objectId }) => objectId)).toEqual(["table", "cup"]);
    expect(scene.attributes("cup")).toEqual({ parent: "table" });
    await scene.stack.redo();
    expect(scene.objects.size).toBe(0);
  });

  it("restores no object whose id is in use again or whose parent is gone", async () => {
    const scene = new Scene();
    scene.create("table", {});
    scene.create("cup", { parent: "table" });
    scene.create("rug", {});
    scene.remove("rug");
    scene.remove("cup");
    scene.others("Ada", { kind: "remove", objectId: "table" });
    scene.others("Ada", { kind: "create", objectId: "rug", attributes: { mine: true }, options: {} });
    expect((await scene.stack.undo()).left[0]?.why).toBe("hangs");
    expect((await scene.stack.undo()).left[0]?.why).toBe("there");
    expect(scene.attributes("rug")).toEqual({ mine: true });
  });

  it("reverts a drag or a group as one step", async () => {
    const scene = new Scene();
    scene.create("lamp", { x: 0, color: "white" });
    scene.update("lamp", { x: 1 });
    for (const x of [2, 3, 4]) scene.update("lamp", { x }, 50);
    scene.update("lamp", { color: "red" }, 50);
    await scene.stack.undo();
    expect(scene.attributes("lamp"), "another attribute is another step").toEqual({ x: 4, color: "white" });
    await scene.stack.undo();
    expect(scene.attributes("lamp")).toEqual({ x: 0, color: "white" });
    const end = scene.stack.begin();
    scene.create("rug", {});
    scene.update("lamp", { x: 7 });
    scene.update("lamp", { color: "blue", x: 8 });
    end();
    scene.update("lamp", { x: 9 }, 1);
    await scene.stack.undo();
    expect(scene.attributes("lamp"), "what follows a group is a step of its own").toEqual({ x: 8, color: "blue" });
    await scene.stack.undo();
    expect([scene.attributes("lamp"), scene.attributes("rug")]).toEqual([{ x: 0, color: "white" }, undefined]);
  });

  it("skips a refused change, and a new change clears the redo steps", async () => {
    const scene = new Scene();
    scene.create("lamp", { x: 0 });
    scene.refuses = true;
    scene.update("lamp", { x: 1 });
    scene.refuses = false;
    await scene.stack.undo();
    expect(scene.objects.size).toBe(0);
    expect(scene.stack.canRedo).toBe(true);
    scene.create("rug", {});
    expect(scene.stack.canRedo).toBe(false);
    const empty = new Scene();
    expect(await empty.stack.undo()).toEqual({ done: false, left: [] });
  });

  it("skips a fully refused drag, and reverts a partly refused one to its start", async () => {
    const scene = new Scene();
    scene.create("lamp", { x: 0 });
    scene.refuses = true;
    for (const x of [1, 2, 3]) scene.update("lamp", { x }, 50);
    expect(await scene.stack.undo(), "the lamp itself was the last that was taken").toEqual({ done: true, left: [] });
    await scene.stack.redo();
    scene.update("lamp", { x: 1 }, 10_000);
    scene.refuses = false;
    for (const x of [2, 3]) scene.update("lamp", { x }, 50);
    scene.refuses = true;
    scene.update("lamp", { x: 4 }, 50);
    expect(await scene.stack.undo()).toEqual({ done: true, left: [] });
    expect(scene.attributes("lamp")).toEqual({ x: 0 });
  });

  it("runs concurrent calls one after another, up to the number of steps", async () => {
    const scene = new Scene();
    scene.create("lamp", { x: 0 });
    scene.update("lamp", { x: 1 });
    const told: boolean[] = [];
    scene.stack.follow(() => told.push(scene.stack.canUndo));
    const all = [scene.stack.undo(), scene.stack.undo(), scene.stack.undo()];
    expect(told.slice(0, 2), "told at once").toEqual([true, false]);
    expect((await Promise.all(all)).map(({ done }) => done)).toEqual([true, true, false]);
    expect(scene.objects.size).toBe(0);
  });

  it("can be redone while it is still in flight", async () => {
    const scene = new Scene();
    scene.create("lamp", { x: 0 });
    const undone = scene.stack.undo();
    expect([scene.stack.canUndo, scene.stack.canRedo]).toEqual([false, true]);
    const redone = scene.stack.redo();
    expect([scene.stack.canUndo, scene.stack.canRedo]).toEqual([true, false]);
    expect((await Promise.all([undone, redone])).map(({ done }) => done)).toEqual([true, true]);
    expect(scene.attributes("lamp")).toEqual({ x: 0 });
    expect([scene.stack.canUndo, scene.stack.canRedo]).toEqual([true, false]);
  });

  it("keeps a step that could not be sent to the realm", async () => {
    const objects = new Map<string, SceneObject>();
    const stack = new UndoStack({ objects, now: () => 0, send: () => Promise.reject(new Error("away")) });
    stack.noteCreate("lamp", {}, {})(Promise.resolve());
    objects.set("lamp", { objectId: "lamp", type: "object", persist: true, attributes: {} });
    await expect(stack.undo()).rejects.toThrow("away");
    expect(stack.canUndo).toBe(true);
  });

  it("never reverts another person's later value in 300 random histories", async () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      // The low bits of a linear congruential generator have short periods.
      return Math.floor((seed / 2 ** 32) * below);
    };
    for (let round = 0; round < 300; round += 1) {
      const scene = new Scene();
      scene.create("a", { x: 0, y: 0 });
      const theirs = new Map<string, unknown>();
      for (let deed = 0; deed < 12; deed += 1) {
        const key = random(2) === 0 ? "x" : "y";
        if (random(2) === 0) {
          scene.update("a", { [key]: random(100) });
          theirs.delete(key);
        } else {
          const value = 100 + random(1_000);
          scene.others("Ada", changing("a", { [key]: value }));
          theirs.set(key, value);
        }
      }
      while (scene.stack.canUndo) await scene.stack.undo();
      for (const [key, value] of theirs) expect(scene.attributes("a")?.[key], `seed of round ${round}`).toBe(value);
    }
  });
});
