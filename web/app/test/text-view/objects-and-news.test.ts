import type { Attributes, SceneObject } from "@stoa/client";
import { describe, expect, it } from "vitest";
import { NEWS_AGAIN_MS, NEWS_PERIOD_MS } from "../../src/limits.ts";
import { colorWord } from "../../src/text-view/color-words.ts";
import { AnnouncementQueue } from "../../src/text-view/news.ts";
import { press, pressButton } from "../../src/text-view/object-events.ts";
import { textObjectOf } from "../../src/text-view/objects.ts";
import { PositionTracker } from "../../src/text-view/positions.ts";
import { sorted } from "../../src/text-view/sorting.ts";
import { FakeSession, person } from "../support/fake-session.ts";

const BASE = "https://realm.test/public/lobby";

function object(objectId: string, attributes: Attributes): SceneObject {
  return { objectId, type: "object", attributes, persist: true };
}

describe("an object in the text view", () => {
  const thing = (attributes: Attributes, id = "red_lamp-2") => textObjectOf(object(id, attributes), BASE);

  it("is named by the words of its id, and has a colour word", () => {
    expect(thing({ object_type: "box", material: { color: "#cc2222" } })).toMatchObject({
      name: "red lamp 2",
      color: "red",
    });
  });

  it("is named by the title of its attribution", () => {
    expect(thing({ object_type: "gltf-model", attribution: { title: "Old chair" } })?.name).toBe("Old chair");
  });

  it("is omitted if it is invisible, unless it can be pressed", () => {
    expect(thing({ object_type: "box", visible: false })).toBeUndefined();
    expect(thing({ object_type: "light" })).toBeUndefined();
    expect(thing({ object_type: "entity", "click-listener": true }), "what can be pressed").toBeDefined();
  });

  it("offers the actions of a click in the 3D view", () => {
    const actions = (attributes: Attributes) => thing({ object_type: "box", ...attributes })?.actions;
    expect(actions({})).toEqual([]);
    expect(actions({ "click-listener": true })).toEqual([{ kind: "press" }]);
    const url = "https://elsewhere.test/";
    expect(actions({ "click-listener": true, "goto-url": { url } })).toEqual([{ kind: "open", url, newTab: false }]);
    expect(actions({ "click-listener": true, "goto-landmark": { landmark: "door" } })).toEqual([
      { kind: "travel", landmark: "door", press: true },
    ]);
    expect(actions({ portal: { scene: "public/sandbox" } })).toEqual([
      { kind: "portal", scene: "public/sandbox", landmark: "" },
    ]);
    expect(actions({ textinput: { title: "Name?" } })).toMatchObject([{ kind: "ask", question: { title: "Name?" } }]);
  });

  it("never leads to an address that runs a script", () => {
    expect(thing({ object_type: "box", "goto-url": { url: "javascript:alert(1)" } })?.actions).toEqual([]);
  });

  it("offers a prompt's buttons, and has the text of a prompt or card", () => {
    const prompt = thing({
      object_type: "arenaui-prompt",
      title: "Ready?",
      description: "We begin.",
      buttons: ["Yes", "No"],
    });
    expect(prompt).toMatchObject({ name: "Ready?", says: ["We begin."] });
    expect(prompt?.actions).toEqual([
      { kind: "button", name: "Yes", index: 0 },
      { kind: "button", name: "No", index: 1 },
    ]);
    const card = thing({ object_type: "arenaui-card", title: "Rules", body: "Be kind." });
    expect(card).toMatchObject({ name: "Rules", says: ["Be kind."], actions: [] });
  });
});

describe("an action on an object", () => {
  const at = [0, 1, -2] as const;
  const from = [0, 1.6, 0] as const;

  it("sends mouse events for the pressed object and its parent", () => {
    const session = new FakeSession();
    session.objects.set("table", object("table", { object_type: "box", "click-listener": true }));
    session.objects.set("cup", object("cup", { object_type: "box", "click-listener": true, parent: "table" }));
    press(session, { objectId: "cup", at, from }, BASE);
    expect(session.asked).toEqual(
      ["mousedown", "mouseup"].flatMap((type) =>
        ["table", "cup"].map((target) => ["event", { type, target, targetPosition: at, originPosition: from }]),
      ),
    );
  });

  it("sends the name and index of the chosen button", () => {
    const session = new FakeSession();
    pressButton(session, { objectId: "ask", at, from }, { name: "Yes", index: 0 });
    expect(session.asked).toMatchObject([
      ["event", { type: "buttonClick", more: { buttonName: "Yes", buttonIndex: 0 } }],
    ]);
  });
});

describe("a position in the text view", () => {
  it("of a child includes its parent's transform", () => {
    const session = new FakeSession();
    const quarter = { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 };
    session.objects.set(
      "table",
      object("table", { position: { x: 5, y: 0, z: 0 }, rotation: quarter, scale: { x: 2, y: 2, z: 2 } }),
    );
    session.objects.set("cup", object("cup", { position: { x: 1, y: 1, z: 0 }, parent: "table" }));
    const [x, y, z] = new PositionTracker(session).objectPosition("cup") ?? [];
    expect(x).toBeCloseTo(5);
    expect(y).toBeCloseTo(2);
    expect(z).toBeCloseTo(-2);
  });

  it("is undefined in a cycle of parents and under a missing parent", () => {
    const session = new FakeSession();
    session.objects.set("a", object("a", { parent: "b" }));
    session.objects.set("b", object("b", { parent: "a" }));
    session.objects.set("c", object("c", { parent: "nobody" }));
    const places = new PositionTracker(session);
    expect([places.objectPosition("a"), places.objectPosition("c")]).toEqual([undefined, undefined]);
  });

  it("of a person is the position of the camera", () => {
    const session = new FakeSession();
    session.people.set("bob", { ...person("bob", "Bob"), pose: { position: [1, 2, 3], rotation: [0, 0, 0, 1] } });
    expect(new PositionTracker(session).eyesOf("bob")).toEqual([1, 2, 3]);
  });
});

describe("announcements", () => {
  it("are sent at once, then batched once per period", () => {
    const news = new AnnouncementQueue();
    news.handle("came", "bob", "Bob");
    expect(news.poll(0)).toEqual([{ what: "came", names: ["Bob"] }]);
    news.handle("came", "eve", "Eve");
    news.handle("added", "lamp", "lamp");
    news.handle("came", "dan", "Dan");
    expect(news.poll(NEWS_PERIOD_MS - 1)).toEqual([]);
    expect(news.poll(NEWS_PERIOD_MS)).toEqual([
      { what: "came", names: ["Eve", "Dan"] },
      { what: "added", names: ["lamp"] },
    ]);
  });

  it("omit a person who enters and leaves in between", () => {
    const news = new AnnouncementQueue();
    news.handle("came", "bob", "Bob");
    news.handle("left", "bob", "Bob");
    expect(news.poll(0)).toEqual([]);
  });

  it("report a constantly changing object only once per interval", () => {
    const news = new AnnouncementQueue();
    let told = 0;
    for (let now = 0; now < NEWS_AGAIN_MS; now += 100) {
      news.handle("changed", "clock", "clock");
      told += news.poll(now).length;
    }
    expect(told).toBe(1);
    news.handle("changed", "clock", "clock");
    expect(news.poll(2 * NEWS_AGAIN_MS)).toHaveLength(1);
  });
});

describe("the order of nearby entries", () => {
  const near = (id: string, distanceM: number) => ({ id, bearing: { distanceM, direction: "ahead" as const, upM: 0 } });

  it("is by distance, and keeps the order of entries that are already listed", () => {
    const first = sorted([near("b", 2), near("a", 1)], new Map());
    expect(first.entries.map(({ id }) => id)).toEqual(["a", "b"]);
    const moved = [near("b", 1), near("a", 9), near("c", 0)];
    expect(sorted(moved, first.order).entries.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(sorted(moved, new Map()).entries.map(({ id }) => id)).toEqual(["c", "b", "a"]);
  });
});

it.each([
  ["#fff", "white"],
  ["#c22", "red"],
  ["#4f7cac", "blue"],
  ["#6f8f5a", "green"],
  ["#556b2f", "green"],
  ["#8fbc8f", "green"],
  ["#808000", "green"],
  ["#3d7a8c", "blue"],
  ["#101830", "blue"],
  ["#add8e6", "blue"],
  ["#008080", "turquoise"],
  ["#5b5570", "purple"],
  ["#7d3caa", "purple"],
  ["#ffc0cb", "pink"],
  ["#bc8f8f", "pink"],
  ["#ff69b4", "pink"],
  ["#8b0000", "red"],
  ["#d2402a", "red"],
  ["#e07a5f", "orange"],
  ["#f08c28", "orange"],
  ["#6f5137", "brown"],
  ["#a65a43", "brown"],
  ["#a9825a", "brown"],
  ["#dcc8a5", "beige"],
  ["#f0dc3c", "yellow"],
  ["#daa520", "yellow"],
  ["#708090", "grey"],
  ["#8b8f96", "grey"],
  ["#444", "grey"],
  ["#202028", "black"],
  ["#0a0a2a", "black"],
  ["#eef0ea", "white"],
  ["Green", "green"],
  ["no colour", undefined],
  [7, undefined],
])("the colour %s is %s", (color, word) => {
  expect(colorWord(color)).toBe(word);
});
