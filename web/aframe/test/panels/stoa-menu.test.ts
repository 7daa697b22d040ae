import { beforeEach, expect, test } from "vitest";
import { asEntity, type Entity, type SceneElement } from "../../src/aframe.ts";
import { MenuBehaviour } from "../../src/panels/stoa-menu.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

let scene: SceneElement & { readonly states?: Set<string> };
let rig: Entity;
let menu: MenuBehaviour;
let pressed: string[];
let changes: number;

/** The panels in the rig, by the names of their buttons. */
function panels(): readonly (readonly string[])[] {
  return [...rig.children].map((el) => settings.get(el)?.buttons.map(({ name }) => name) ?? []);
}

const settings = new Map<Element, { readonly buttons: readonly { readonly name: string }[] }>();

/** Presses a button by the event of `stoa-panel`. */
function press(name: string): void {
  for (const el of [...rig.children]) {
    const at = settings.get(el)?.buttons.findIndex((button) => button.name === name) ?? -1;
    if (at < 0) continue;
    const detail = { type: "buttonClick", target: "", more: { buttonName: name, buttonIndex: at } };
    el.dispatchEvent(new CustomEvent("stoa-event", { detail, bubbles: true }));
    return;
  }
  throw new Error(`there is no button ${name}`);
}

function immerse(state: "vr-mode" | "ar-mode" | null): void {
  scene.states?.clear();
  if (state !== null) scene.states?.add(state);
  menu.tick();
}

beforeEach(() => {
  scene = stubScene();
  rig = stubEntity(scene);
  settings.clear();
  // A-Frame isn't running, so entities of panels store their settings here.
  const { createElement } = document;
  rig.ownerDocument.createElement = ((tag: string) => {
    const el = asEntity(createElement.call(document, "div"));
    if (tag !== "a-entity") return createElement.call(document, tag);
    const { object3D } = stubEntity(stubScene());
    const setAttribute = (name: string, value: { panel: never }): void => {
      if (name === "stoa-panel") settings.set(el, value.panel);
    };
    return Object.assign(el, { object3D, setAttribute });
  }) as typeof document.createElement;
  changes = 0;
  pressed = [];
  menu = new MenuBehaviour(stubAFrame(), rig);
  menu.onTargets = () => {
    changes += 1;
  };
  menu.update({ label: "Menu", close: "Close" });
  menu.setEntries([
    { label: "Chat", run: () => pressed.push("chat") },
    { label: "Help", run: () => pressed.push("help") },
  ]);
  return () => {
    rig.ownerDocument.createElement = createElement;
  };
});

test("the menu button is shown only in VR and AR", () => {
  menu.tick();
  expect(panels(), "in the page there are others").toEqual([]);
  for (const state of ["vr-mode", "ar-mode"] as const) {
    immerse(state);
    expect(panels()).toEqual([["Menu"]]);
    expect(menu.targets.length).toBe(1);
    immerse(null);
    expect(panels()).toEqual([]);
  }
  expect(changes).toBe(4);
});

test("a menu without a label has no button", () => {
  menu.update({ label: "", close: "" });
  immerse("vr-mode");
  expect(panels()).toEqual([]);
});

test("the button toggles the menu, and an entry runs its action and closes the menu", () => {
  immerse("vr-mode");
  press("Menu");
  expect(panels()).toEqual([["Menu"], ["Chat", "Help", "Close"]]);
  press("Menu");
  expect(panels()).toEqual([["Menu"]]);
  press("Menu");
  press("Help");
  expect([pressed, panels()]).toEqual([["help"], [["Menu"]]]);
  press("Menu");
  press("Close");
  expect([pressed, panels()]).toEqual([["help"], [["Menu"]]]);
});

test("leaving VR closes the menu", () => {
  immerse("vr-mode");
  press("Menu");
  immerse(null);
  immerse("vr-mode");
  expect([menu.isOpen, panels()]).toEqual([false, [["Menu"]]]);
});

test("a controller's upper button toggles the menu once per press", () => {
  const upper = { pressed: false };
  const buttons = [{}, {}, {}, {}, { pressed: false }, upper];
  Object.assign(scene, { xrSession: { inputSources: [{ gamepad: { buttons } }] } });
  immerse("vr-mode");
  upper.pressed = true;
  menu.tick();
  menu.tick();
  expect(menu.isOpen).toBe(true);
  upper.pressed = false;
  menu.tick();
  upper.pressed = true;
  menu.tick();
  expect(menu.isOpen).toBe(false);
});

test("unread counts are shown on the menu entry and on the menu button", () => {
  const run = (): void => undefined;
  immerse("vr-mode");
  press("Menu");
  menu.setEntries([
    { label: "Chat", news: 2, run },
    { label: "Help", run },
  ]);
  expect(panels()).toEqual([["Menu (2)"], ["Chat (2)", "Help", "Close"]]);
  menu.setEntries([{ label: "Chat", news: 0, run }]);
  expect(panels()).toEqual([["Menu"], ["Chat", "Close"]]);
});

test("a press in the menu isn't emitted to the scene", () => {
  const heard: unknown[] = [];
  scene.addEventListener("stoa-event", (event) => heard.push(event));
  immerse("vr-mode");
  press("Menu");
  expect(heard).toEqual([]);
  rig.dispatchEvent(new CustomEvent("stoa-event", { bubbles: true }));
  expect(heard.length, "negative control").toBe(1);
});

test("the menu button is above the left hand, or else in front of the user below the eyes", () => {
  immerse("vr-mode");
  const { position } = asEntity(rig.children[0] as Element).object3D;
  const { x, y, z } = position;
  expect([x, y, z].map((value) => Math.round(value * 100) / 100)).toEqual([0, 1.2, 2.3]);
  menu.pointer = {
    handPose: (side, at) => {
      at.set(-0.2, 1, 2.6);
      return side === "left";
    },
  };
  menu.tick();
  expect(position.toArray()).toEqual([-0.2, 1.1, 2.6]);
});
