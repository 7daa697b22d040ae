// ARENA's panels on real pages: a card's button by mouse and keyboard, an answered question, a visited landmark; a
// program with MQTT only receives the events.
import { connectAsync, type MqttClient } from "mqtt";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { HTTP, TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { texts } from "./texts.ts";

const SCENE = "public/sandbox";
const VIEW = { viewport: { width: 1280, height: 800 } };

/** An event of ARENA as a program receives it. */
interface Heard {
  readonly topic: string;
  readonly message: {
    readonly object_id: string;
    readonly action: string;
    readonly type: string;
    readonly data: Attributes;
  };
}
type Attributes = Readonly<Record<string, unknown>>;

let realm: TestRealm;
let browser: Browser;
let program: MqttClient;
let ada: ScenePage;
const heard: Heard[] = [];

/** Creates an object like a program of ARENA's. */
async function put(objectId: string, data: Attributes): Promise<void> {
  const message = { object_id: objectId, action: "create", type: "object", persist: true, data };
  await program.publishAsync(`realm/s/${SCENE}/o/${program.options.clientId}/${objectId}`, JSON.stringify(message), {
    qos: 1,
  });
}

function of(type: string, target: string): Heard | undefined {
  return heard.find(({ message }) => message.type === type && message.data.target === target);
}

beforeAll(async () => {
  [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
  const token = await realm.token("olga", SCENE);
  program = await connectAsync("mqtt://127.0.0.1:1883", { username: "olga", password: token, clientId: "program-1" });
  program.on("message", (topic, payload) => {
    const message = JSON.parse(payload.toString());
    if (message.action === "clientEvent") heard.push({ topic, message });
  });
  await program.subscribeAsync(`realm/s/${SCENE}/+/+/+`);
  const at = (x: number, y: number, z: number) => ({ position: { x, y, z } });
  await put("ask", {
    object_type: "arenaui-prompt",
    title: "Sure?",
    description: "Press one.",
    buttons: ["Yes", "No"],
    ...at(0, 1.6, 0),
  });
  await put("card", {
    object_type: "arenaui-card",
    title: "Welcome",
    body: "To the hall.",
    closeButton: true,
    ...at(-1.8, 1.6, 0),
  });
  await put("menu", {
    object_type: "box",
    ...at(1.6, 1.6, 0),
    "click-listener": true,
    textinput: { on: "mouseup", title: "What do you like?", label: "Dish" },
  });
  await put("tower", {
    object_type: "box",
    ...at(20, 5, 0),
    landmark: { label: "The tower", offsetPosition: { x: 2, y: 1.6, z: 0 } },
  });
  await put("start", {
    object_type: "entity",
    ...at(0, 0, 2.5),
    landmark: { startingPosition: true, lookAtLandmark: false },
  });
  ada = await ScenePage.enter(browser, SCENE, "Ada", VIEW);
});

afterAll(async () => {
  await Promise.all([browser?.close(), program?.endAsync()]);
  await realm?.end();
});

describe("ARENA's panels", () => {
  test("a click on a prompt's button sends ARENA's buttonClick event with sender and positions", async () => {
    await ada.page.locator('[data-object-id="ask"] [data-stoa-keys]').waitFor({ state: "attached" });
    await ada.settled();
    const { x, y } = await ada.page.evaluate(buttonOnScreen, { objectId: "ask", name: "No" });
    await ada.page.mouse.move(x, y);
    await ada.page.mouse.down();
    await ada.page.mouse.up();
    await eventually("the program hears of it", () => Promise.resolve(of("buttonClick", "ask") !== undefined));
    const { topic, message } = of("buttonClick", "ask") ?? {};
    expect(message?.data).toMatchObject({ target: "ask", buttonName: "No", buttonIndex: 1 });
    expect(message?.data).toHaveProperty("targetPosition.z");
    expect(message?.data).toHaveProperty("originPosition.y");
    expect(topic?.endsWith(`/${message?.object_id}`), "the topic names who pressed").toBe(true);
    expect(of("mousedown", "ask"), "a panel without a click-listener tells of no bare clicks").toBeUndefined();
  });

  test("Enter on a card's close button sends buttonClick and closes the card", async () => {
    const close = ada.page.getByRole("group", { name: /Welcome/ }).getByRole("button", { name: "Close" });
    await close.focus();
    await ada.page.keyboard.press("Enter");
    await eventually("the program hears of it", () => Promise.resolve(of("buttonClick", "card") !== undefined));
    expect(of("buttonClick", "card")?.message.data).not.toHaveProperty("buttonIndex");
    await close.waitFor({ state: "detached" });
  });

  test("text typed into a textinput dialog reaches the program", async () => {
    const answer = ada.page.getByLabel("Dish");
    await ada.click("menu", () => answer.isVisible());
    await answer.fill("noodles");
    await ada.page.getByRole("button", { name: texts.ask.send }).click();
    await eventually("the program hears of it", () => Promise.resolve(of("textinput", "menu") !== undefined));
    expect(of("textinput", "menu")?.message.data).toEqual({ target: "menu", text: "noodles" });
    expect(of("mouseup", "menu"), "what opens a form tells of no clicks").toBeUndefined();
  });

  test("a landmark is listed as a spot, and an address with its name starts a visit at it", async () => {
    await ada.page
      .getByRole("toolbar", { name: texts.overlay.toolbar })
      .getByRole("button", { name: texts.overlay.panels.places })
      .click();
    await ada.page.getByRole("button", { name: texts.places.goTo("The tower") }).click();
    await eventually("Ada is beside the tower", async () => Math.abs((await ada.page.evaluate(eyes)).x - 22) < 0.1);
    const bo = await ScenePage.enter(browser, `${SCENE}#The%20tower`, "Bo", VIEW);
    const apartM = async () => {
      const [hers, his] = [await ada.page.evaluate(eyes), await bo.page.evaluate(eyes)];
      return Math.hypot(hers.x - his.x, hers.z - his.z);
    };
    await eventually("Bo begins there, and beside Ada", async () => (await apartM()) > 0.7 && (await apartM()) < 1.6);
    expect(bo.errors).toEqual([]);
  });

  test("no page met an error", () => {
    expect(ada.errors).toEqual([]);
    expect(ada.page.url().startsWith(HTTP)).toBe(true);
  });
});

/** The parts of A-Frame and of a panel's component that these functions use; they run in the page. */
interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
interface Vector extends Point {
  set(x: number, y: number, z: number): Vector;
  project(camera: unknown): Vector;
}
interface Placed {
  localToWorld(point: Vector): Vector;
  getWorldPosition(into: unknown): Point;
}
interface PanelElement {
  readonly object3D: Placed;
  readonly components: Readonly<
    Record<string, { behaviour: { layout: { buttons: readonly (Point & { name: string })[] } } }>
  >;
}
declare const AFRAME: {
  THREE: { Vector3: new () => Vector };
  scenes: [{ camera: Placed; canvas: HTMLCanvasElement }];
};

/** The position of a panel's button on the screen. */
function buttonOnScreen({ objectId, name }: { objectId: string; name: string }): { x: number; y: number } {
  const element = document.querySelector(`[data-object-id="${objectId}"]`) as unknown as PanelElement;
  const button = element.components["stoa-panel"]?.behaviour.layout.buttons.find((one) => one.name === name);
  const [{ camera, canvas }] = AFRAME.scenes;
  const point = new AFRAME.THREE.Vector3().set(button?.x ?? 0, button?.y ?? 0, 0.03);
  const seen = element.object3D.localToWorld(point).project(camera);
  const { left, top, width, height } = canvas.getBoundingClientRect();
  return { x: left + ((seen.x + 1) / 2) * width, y: top + ((1 - seen.y) / 2) * height };
}

function eyes(): Point {
  const { x, y, z } = AFRAME.scenes[0].camera.getWorldPosition(new AFRAME.THREE.Vector3());
  return { x, y, z };
}
