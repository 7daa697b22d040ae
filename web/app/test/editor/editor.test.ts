import { RefusedError } from "@stoa/client";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Editor, nameOf } from "../../src/editor/editor.ts";
import type { ObjectClip } from "../../src/editor/objects/clipboard.ts";
import type { SceneViewController } from "../../src/scene/stage.ts";
import { errorText } from "../../src/texts/error-texts.ts";
import { FakeSession, person } from "../support/fake-session.ts";
import { holding, texts } from "../support/texts.ts";
import { placingStage, put } from "./support.ts";

const { names } = texts.edit;

let session: FakeSession;
let selected: readonly string[];
let said: string;
let editor: Editor;
let stage: SceneViewController;

beforeEach(() => {
  session = new FakeSession();
  selected = [];
  said = "";
  let clip: ObjectClip | undefined;
  stage = placingStage(session);
  const host = {
    session,
    stage,
    get selected() {
      return selected;
    },
    choose: (ids: readonly string[]) => {
      selected = ids;
    },
    showError: (wrong: string) => {
      said = wrong;
    },
  };
  editor = new Editor(host, {
    write: (written) => {
      clip = written;
    },
    read: () => clip,
  });
});

describe("the editor", () => {
  it("adds a persistent object in front of the camera and selects it", async () => {
    await editor.add({ attributes: { object_type: "box" }, heightM: 0.25 });
    const [[, id] = []] = session.asked as [string, string][];
    const attributes = { object_type: "box", position: { x: 1, y: 0.25, z: -2 } };
    expect(session.asked).toEqual([["create", expect.stringMatching(/^box-/), attributes, { persist: true }]]);
    expect(selected).toEqual([id]);
  });

  it("adds an object next to one that occupies its position", async () => {
    stage.bodies = () => [{ min: { x: 0.5, y: 0, z: -2.5 }, max: { x: 1.5, y: 1, z: -1.5 } }];
    await editor.add({ attributes: { object_type: "box", width: 1, height: 1, depth: 1 }, heightM: 0.5 });
    expect(session.asked).toMatchObject([["create", expect.any(String), { position: { x: 2.25, y: 0.5, z: -2 } }, {}]]);
  });

  describe("an object's name", () => {
    beforeEach(() => {
      put(session, "box-x7k2p1", { "video-control": { video_object: "box-x7k2p1" }, parent: "wall" });
      put(session, "cup", { parent: "box-x7k2p1" });
      put(session, "owl", { "look-at": "#box-x7k2p1" });
      put(session, "lamp", { object_type: "light", target: "box-x7k2p1" });
      put(session, "door", { "goto-landmark": { on: "mousedown", landmark: "box-x7k2p1" } });
      put(session, "other", { "goto-landmark": { on: "mousedown", landmark: "door" } });
    });

    const named = (objectId: string, typed: string) => {
      const object = session.objects.get(objectId);
      if (object === undefined) throw new Error(`there is no ${objectId}`);
      return editor.rename(object, typed);
    };

    it("becomes the new id, and all references follow, in one undo step", async () => {
      const group = vi.spyOn(session.undo, "group");
      expect(await named("box-x7k2p1", " Grüne Tür, links! ")).toBe(true);
      const own = { "video-control": { video_object: "Grüne-Tür-links" }, parent: "wall" };
      expect(session.asked).toMatchObject([
        ["create", "Grüne-Tür-links", own, { persist: true, type: "object" }],
        ["update", "cup", { parent: "Grüne-Tür-links" }],
        ["update", "owl", { "look-at": "#Grüne-Tür-links" }],
        ["update", "lamp", { target: "Grüne-Tür-links" }],
        ["update", "door", { "goto-landmark": { landmark: "Grüne-Tür-links" } }],
        ["remove", "box-x7k2p1"],
      ]);
      expect(group).toHaveBeenCalledTimes(1);
      expect(selected).toEqual(["Grüne-Tür-links"]);
    });

    it("is the label of a spot, whose id stays", async () => {
      put(session, "start", { object_type: "entity", landmark: { label: "Door" } });
      expect(await named("start", " Way in ")).toBe(true);
      expect(session.asked).toEqual([["update", "start", { landmark: { label: "Way in" } }]]);
    });

    it.each([
      ["owl", "cup", names.taken("cup")],
      ["owl", " // ", names.none],
      ["held", "cat", texts.edit.locked],
    ])("can't be changed from %s to '%s'", async (objectId, typed, why) => {
      put(session, "held", { locked: true });
      expect(await named(objectId, typed)).toBe(false);
      const object = session.objects.get(objectId);
      expect([session.asked, object && editor.whyNoName(object, typed)]).toEqual([[], why]);
    });

    it("is its target scene or its text while its id is a generated one", () => {
      const portal = { scene: "ada/garden" };
      expect(nameOf("doorway-x7k2p1", { object_type: "box", portal })).toBe(
        holding(names.doorwayTo("ada/garden"), "ada/garden"),
      );
      expect(nameOf("box-x7k2p1", { object_type: "box", portal })).toBe(names.doorwayTo("ada/garden"));
      expect(nameOf("doorway-x7k2p1", { object_type: "box", portal: { scene: "" } })).toBe(names.doorway);
      expect(nameOf("exit", { object_type: "box", portal })).toBe("exit");
      expect(nameOf("text-x7k2p1", { object_type: "text", value: "Hello" })).toBe("“Hello”");
      expect(nameOf("title", { object_type: "text", value: "Hello" })).toBe("title");
      expect(nameOf("box-x7k2p1", { object_type: "box" })).toBe("box-x7k2p1");
    });
  });

  it("moves the selected object by a step", async () => {
    put(session, "lamp");
    selected = ["lamp"];
    await editor.nudge("y", 0.1);
    expect(session.asked).toEqual([["update", "lamp", { position: { x: 0, y: 1.1, z: 0 } }]]);
  });

  it("sends each position of a drag, and makes the drag one undo step", async () => {
    put(session, "lamp");
    const [begin, end] = [vi.spyOn(session.undo, "begin"), vi.fn()];
    begin.mockReturnValue(end);
    await editor.takeMove({ moves: [{ objectId: "lamp", position: { x: 1, y: 1, z: 0 } }], final: false });
    expect([begin.mock.calls.length, end.mock.calls.length], "it goes on").toEqual([1, 0]);
    put(session, "lamp", { position: { x: 1, y: 1, z: 0 } });
    await editor.takeMove({ moves: [{ objectId: "lamp", position: { x: 2, y: 1, z: 0 } }], final: true });
    const to = (x: number) => ["update", "lamp", { position: { x, y: 1, z: 0 } }];
    expect(session.asked).toEqual([to(1), to(2)]);
    expect(end, "all that was begun has ended").toHaveBeenCalledTimes(begin.mock.calls.length);
  });

  it("removes a selected parent and its child by one request for the parent", async () => {
    put(session, "table");
    put(session, "cup", { parent: "table" });
    selected = ["table", "cup"];
    await editor.remove();
    expect(session.asked).toEqual([["remove", "table"]]);
    expect(selected).toEqual([]);
  });

  it("refuses to delete or move a locked object, and can unlock it", async () => {
    put(session, "wall", { locked: true });
    selected = ["wall"];
    await editor.remove();
    await editor.nudge("x", 1);
    expect(session.asked).toEqual([]);
    expect(said).toBe(texts.edit.locked);
    await editor.lock(false);
    expect(session.asked).toEqual([["update", "wall", { locked: null }]]);
  });

  it("duplicates an object with its children under new ids", async () => {
    put(session, "table", { position: { x: 1, y: 0, z: 0 } });
    put(session, "cup", { parent: "table", locked: true });
    selected = ["table"];
    await editor.duplicate();
    const [table, cup] = session.asked as [string, string, { parent?: string }][];
    expect(table).toMatchObject(["create", expect.stringMatching(/^box-/), { position: { x: 1.5, y: 0, z: 0 } }, {}]);
    expect(cup?.[2].parent).toBe(table?.[1]);
    expect(selected).toEqual([table?.[1]]);
  });

  it("pastes a copied object into another scene in front of the camera", async () => {
    put(session, "chair-abc123", { position: { x: 50, y: 0.5, z: 50 }, parent: "room" });
    selected = ["chair-abc123"];
    editor.copy();
    session.objects.clear();
    await editor.paste();
    expect(session.asked).toMatchObject([
      ["create", expect.stringMatching(/^chair-[0-9a-z]{6}$/), { position: { x: 1, y: 0.5, z: -2 } }, {}],
    ]);
    expect(session.asked[0]).not.toHaveProperty("[2].parent");
  });

  it("groups objects under a new parent at their centre, and ungroups them", async () => {
    put(session, "a", { position: { x: 0, y: 0, z: 0 } });
    put(session, "b", { position: { x: 2, y: 0, z: 0 } });
    selected = ["a", "b"];
    await editor.group();
    const [id = ""] = selected;
    expect(session.asked).toMatchObject([
      ["create", id, { object_type: "entity", position: { x: 1, y: 0, z: 0 } }, {}],
      ["update", "a", { parent: id, position: { x: -1, y: 0, z: 0 } }],
      ["update", "b", { parent: id, position: { x: 1, y: 0, z: 0 } }],
    ]);
    put(session, id, { object_type: "entity" });
    put(session, "a", { parent: id });
    put(session, "b", { parent: id });
    session.asked.length = 0;
    await editor.ungroup();
    expect(session.asked).toMatchObject([
      ["update", "a", { parent: null }],
      ["update", "b", { parent: null }],
      ["remove", id],
    ]);
  });

  it("refuses to make an object a child of its own child", async () => {
    put(session, "table");
    put(session, "cup", { parent: "table" });
    await editor.reparent(["table"], "cup");
    expect(session.asked).toEqual([]);
    expect(said).toContain(texts.edit.ownChild);
    await editor.reparent(["cup"], null);
    expect(session.asked).toMatchObject([["update", "cup", { parent: null }]]);
  });

  it("undoes a change of 450 objects in one step", async () => {
    const changes = Array.from({ length: 450 }, (_, at) => {
      const objectId = `brick-${at}`;
      return { kind: "create", objectId, attributes: { object_type: "box" } } as const;
    });
    // Records each change in the undo stack like a session.
    session.create = (objectId, attributes) => {
      session.undo.noteCreate(objectId, attributes, {})(Promise.resolve());
      session.objects.set(objectId, { objectId, type: "object", persist: true, attributes });
      return Promise.resolve();
    };
    await editor.run(changes);
    expect(session.objects.size).toBe(450);
    await session.undo.undo();
    expect(session.undo.canUndo).toBe(false);
    expect(session.asked.length).toBe(450);
  });

  it("shows the reason when the server refuses a new object", async () => {
    session.refusal = new RefusedError("too_many_objects");
    await editor.add({ attributes: { object_type: "box" }, heightM: 0 });
    expect(said).toContain(errorText(session.refusal));
    expect(errorText(session.refusal).toLowerCase()).toContain(texts.reasons.refused.get("too_many_objects"));
    expect(selected).toEqual([]);
  });

  it("finds the person who has selected an object", () => {
    session.people.set("bob", { ...person("bob", "Bob"), holds: ["lamp"] });
    expect(editor.heldBy("lamp")?.displayName).toBe("Bob");
    expect(editor.heldBy("cup")).toBeUndefined();
  });
});
