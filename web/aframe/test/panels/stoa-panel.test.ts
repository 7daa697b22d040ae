import * as THREE from "three";
import { expect, test } from "vitest";
import { BROKEN } from "../../src/assets/broken-files.ts";
import { type PanelSettings, panelSettings } from "../../src/mapping/panel.ts";
import { PanelBehaviour } from "../../src/panels/stoa-panel.ts";
import { fakeLibrary, settled } from "../paintable.ts";
import { heard, stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";
import { roboto } from "./roboto.ts";

const fonts = { load: () => Promise.resolve({ metrics: roboto, atlas: new THREE.Texture() }) };

async function shown(attributes: Record<string, unknown>, files = fakeLibrary()) {
  const scene = stubScene();
  const el = stubEntity(scene, "ask");
  const panel = new PanelBehaviour(stubAFrame(), el, { fonts, libraryOf: () => files.library });
  const type = String(attributes.object_type) as Parameters<typeof panelSettings>[0];
  panel.update({ panel: panelSettings(type, attributes, "https://realm.local/").panel as PanelSettings });
  await Promise.resolve();
  await Promise.resolve();
  const events = heard(scene, "stoa-event");
  const point = (name: string): readonly [number, number, number] => {
    const button = panel.layout?.buttons.find((one) => one.name === name);
    return [button?.x ?? 0, button?.y ?? 0, 0];
  };
  const tell = (type: string, point?: readonly [number, number, number]): void =>
    el.emit(type, point && { source: "camera", point, origin: [0, 0, 5] }, false);
  return { el, panel, events, point, tell };
}

const PROMPT = { object_type: "arenaui-prompt", title: "Sure?", buttons: ["Yes", "No"] };

test("a press and release on a button is ARENA's buttonClick, with name and number", async () => {
  const { events, point, tell } = await shown(PROMPT);
  tell("mousedown", point("No"));
  expect(events, "a press alone is no click").toEqual([]);
  tell("mouseup", point("No"));
  expect(events).toEqual([
    {
      type: "buttonClick",
      target: "ask",
      targetPosition: point("No"),
      originPosition: [0, 1.6, 3],
      more: { buttonName: "No", buttonIndex: 1 },
    },
  ]);
});

test("a release outside of the pressed button is no click", async () => {
  const { events, point, tell } = await shown(PROMPT);
  tell("mousedown", point("No"));
  tell("mouseup", point("Yes"));
  tell("mousedown", point("No"));
  tell("mouseleave");
  tell("mouseup", point("No"));
  expect(events).toEqual([]);
});

test("a synthetic click without a position emits nothing", async () => {
  const { events, tell } = await shown(PROMPT);
  tell("mousedown");
  tell("mouseup");
  expect(events).toEqual([]);
});

test("panel buttons exist as HTML buttons, and clicking one emits buttonClick", async () => {
  const { el, events } = await shown(PROMPT);
  const group = el.querySelector('[role="group"]');
  expect(group?.getAttribute("aria-label")).toContain("Sure?");
  const keys = [...(group?.querySelectorAll("button") ?? [])];
  expect(keys.map((key) => key.textContent)).toEqual(["Yes", "No"]);
  keys[0]?.click();
  expect(events).toMatchObject([{ type: "buttonClick", more: { buttonName: "Yes", buttonIndex: 0 } }]);
});

test("closing a card emits buttonClick without an index and removes the card locally", async () => {
  const { el, panel, events, point, tell } = await shown({
    object_type: "arenaui-card",
    title: "Hi",
    closeButton: true,
  });
  tell("mousedown", point("Close"));
  tell("mouseup", point("Close"));
  expect(events).toMatchObject([{ type: "buttonClick", more: { buttonName: "Close" } }]);
  expect(events[0]).not.toHaveProperty("more.buttonIndex");
  expect(panel.layout).toBeNull();
  expect(el.getObject3D("stoa-panel")).toBeUndefined();
});

test("remove deletes the panel and its HTML buttons", async () => {
  const { el, panel, events } = await shown(PROMPT);
  expect(el.object3D.children.length).toBe(1);
  panel.remove();
  expect(el.object3D.children).toEqual([]);
  expect(el.querySelector("button")).toBeNull();
  expect(events).toEqual([]);
});

test("two hands press two buttons at the same time", async () => {
  const { el, events, point } = await shown(PROMPT);
  const tell = (type: string, source: string, name: string): void =>
    el.emit(type, { source, point: point(name), origin: [0, 0, 5] }, false);
  tell("mousedown", "left", "Yes");
  tell("mousedown", "right", "No");
  tell("mouseup", "left", "Yes");
  tell("mouseup", "right", "No");
  expect(events.map((event) => (event as { more: { buttonName: string } }).more.buttonName)).toEqual(["Yes", "No"]);
});

test("a card's picture loads through the queue and is freed with it; a broken one is reported", async () => {
  const files = fakeLibrary();
  const card = { object_type: "arenaui-card", title: "Hi", img: "/store/pic.png" };
  const { panel } = await shown(card, files);
  await settled();
  const settings = panelSettings("arenaui-card", { ...card, title: "Ho" }, "https://realm.local/");
  panel.update({ panel: settings.panel as PanelSettings });
  await settled();
  expect([files.fetched, files.freed]).toEqual([["picture https://realm.local/store/pic.png"], []]);
  panel.remove();
  expect([files.library.size, files.freed]).toEqual([0, ["https://realm.local/store/pic.png"]]);
  const told = heard(document, BROKEN);
  const { el } = await shown({ ...card, img: "/store/gone.png" });
  await settled();
  expect(told).toMatchObject([{ objectId: "ask", code: "missing" }]);
  expect(el.getObject3D("stoa-broken")).toBeDefined();
});
