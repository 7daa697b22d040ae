// Drives the page of a scene like a person.
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { type OpenedPage, openPage, type PageOptions } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { HTTP } from "./realm.ts";
import { type PanelId, texts } from "./texts.ts";

/** The parts of an entity that these tests use: A-Frame's elements carry three.js objects. */
interface EntityObject3D {
  getWorldPosition(target: unknown): { project(camera: unknown): { x: number; y: number; z: number } };
  position: { x: number; y: number; z: number };
  getObjectByProperty(name: string, value: unknown): { material: { color: { getHexString(): string } } } | undefined;
}

interface ProjectableVector {
  applyMatrix4(matrix: unknown): ProjectableVector;
  project(camera: unknown): { x: number; y: number };
}

interface GizmoObject3D {
  children: readonly { matrixWorld: unknown }[];
}

declare const AFRAME: {
  THREE: { Vector3: new () => unknown };
  scenes: [
    {
      camera: unknown;
      canvas: HTMLCanvasElement;
      object3D: { children: readonly { name: string; visible: boolean; userData: { heldBy: string } }[] };
    },
  ];
};

/** Drags begin and end at this distance from the window's edge. */
const DRAG_MARGIN_PX = 40;

/** One person's page. */
export class ScenePage {
  readonly page: Page;
  readonly errors: string[];

  private constructor(page: Page, errors: string[]) {
    this.page = page;
    this.errors = errors;
  }

  /** Wraps an open page in any state. */
  static on({ page, errors }: OpenedPage): ScenePage {
    return new ScenePage(page, errors);
  }

  /** Opens a scene's address as a new user, enters a name, and waits until the scene is loaded. */
  static async enter(browser: Browser, scene: string, name: string, options?: PageOptions): Promise<ScenePage> {
    return ScenePage.enterOn(await openPage(browser, options), scene, name);
  }

  /** The same on an open page. */
  static async enterOn({ page, errors }: OpenedPage, scene: string, name: string): Promise<ScenePage> {
    await page.goto(`${HTTP}/${scene}`);
    await page.getByLabel(texts.shared.nameOthersSee).fill(name);
    await page.getByRole("button", { name: texts.enter.asGuest }).click();
    const entered = new ScenePage(page, errors);
    await entered.live();
    return entered;
  }

  /** Opens a scene's address on a page with a stored name. */
  static async openOn({ page, errors }: OpenedPage, scene: string): Promise<ScenePage> {
    const opened = new ScenePage(page, errors);
    await opened.go(scene);
    return opened;
  }

  /** Waits on a page that is entering a scene. */
  static async resume({ page, errors }: OpenedPage): Promise<ScenePage> {
    const entered = new ScenePage(page, errors);
    await entered.live();
    return entered;
  }

  /** Opens another scene by its address. */
  async go(scene: string): Promise<void> {
    await this.page.goto(`${HTTP}/${scene}`);
    await this.live();
  }

  async live(withinMs = 60_000): Promise<void> {
    await this.page.getByRole("toolbar", { name: texts.overlay.toolbar }).waitFor({ timeout: withinMs });
    await this.page.locator("stoa-status .bar").waitFor({ state: "detached", timeout: withinMs });
    // A key press is lost before the movement components are loaded.
    await this.page.waitForFunction(
      () => {
        const rig = document.querySelector("[stoa-locomotion]");
        return (
          "AFRAME" in window && AFRAME.scenes[0]?.camera !== undefined && rig && "hasLoaded" in rig && rig.hasLoaded
        );
      },
      undefined,
      { timeout: withinMs },
    );
  }

  /** Opens a panel unless it is open, by its button or the overflow menu. */
  async open(panel: PanelId): Promise<void> {
    const toolbar = this.page.getByRole("toolbar", { name: texts.overlay.toolbar });
    const button = toolbar.getByRole("button", { name: texts.overlay.panels[panel] });
    if (!(await button.isVisible())) await this.page.locator("[data-more]").click();
    if ((await button.getAttribute("aria-pressed")) !== "true") await button.click();
  }

  /** The ids of all panels. */
  panels(): Promise<string[]> {
    return this.page
      .locator('[role="toolbar"] [data-panel]')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("data-panel") ?? ""));
  }

  /** Opens a panel by its id, by its button or the overflow menu. */
  async openPanel(id: string): Promise<void> {
    const button = this.page.locator(`[role="toolbar"] [data-panel="${id}"]`);
    if (!(await button.isVisible())) await this.page.locator("[data-more]").click();
    await button.click();
    await this.page.locator("#panel h2").filter({ visible: true }).first().waitFor();
  }

  /** Waits until a message is visible in the open panel without scrolling. */
  async readsInSight(words: string): Promise<void> {
    const answer = this.page.locator("#panel").getByText(words);
    await answer.waitFor();
    const [all, seen] = await Promise.all([this.page.locator("#panel").boundingBox(), answer.boundingBox()]);
    expect(seen, words).not.toBeNull();
    if (all === null || seen === null) return;
    expect(seen.y, `${words} is above`).toBeGreaterThanOrEqual(all.y);
    expect(seen.y + seen.height, `${words} is below`).toBeLessThanOrEqual(all.y + all.height);
  }

  /** Closes the open panel. Cards within a scene have buttons of the same name. */
  async close(): Promise<void> {
    await this.page.locator("#panel > .head > .close").click();
    // A person's next key press is later than the frame in which the hidden button loses the focus.
    await this.page.waitForFunction(() => document.activeElement === document.body);
  }

  async sees(name: string): Promise<void> {
    await this.open("people");
    await this.page.locator("stoa-people li", { hasText: name }).waitFor();
  }

  async seesNobodyElse(): Promise<void> {
    await this.open("people");
    await this.page.getByRole("heading", { name: texts.people.hereNow(1) }).waitFor();
  }

  async say(text: string): Promise<void> {
    await this.open("chat");
    await this.page.getByLabel(texts.chat.say).fill(text);
    await this.page.getByRole("button", { name: texts.chat.send }).click();
  }

  async hears(text: string): Promise<void> {
    await this.open("chat");
    await this.page.getByRole("log").getByText(text).waitFor();
  }

  async has(objectId: string, withinMs = 30_000): Promise<void> {
    await this.page.locator(`[data-object-id="${objectId}"]`).first().waitFor({ state: "attached", timeout: withinMs });
  }

  async lacks(objectId: string): Promise<void> {
    await this.page.locator(`[data-object-id="${objectId}"]`).first().waitFor({ state: "detached" });
  }

  /** The colour in which an object is drawn, as `rrggbb`. */
  colorOf(objectId: string): Promise<string | undefined> {
    return this.page
      .locator(`[data-object-id="${objectId}"]`)
      .first()
      .evaluate((element) => {
        const { object3D } = element as unknown as { object3D: EntityObject3D };
        return object3D.getObjectByProperty("isMesh", true)?.material.color.getHexString();
      });
  }

  /** An object's position, in metres. */
  placeOf(objectId: string): Promise<{ x: number; y: number; z: number }> {
    return this.page
      .locator(`[data-object-id="${objectId}"]`)
      .first()
      .evaluate((element) => {
        const { x, y, z } = (element as unknown as { object3D: EntityObject3D }).object3D.position;
        return { x, y, z };
      });
  }

  /** The position of the only other person's head, in metres. */
  otherHead(): Promise<{ x: number; y: number; z: number }> {
    return this.page
      .locator("[stoa-avatar]")
      .first()
      .evaluate((element) => {
        const { x, y, z } = (element as unknown as { object3D: EntityObject3D }).object3D.position;
        return { x, y, z };
      });
  }

  /** The position of the user's own eyes, in metres. */
  ownHead(): Promise<{ x: number; z: number }> {
    return this.page.evaluate(() => {
      const [{ camera }] = AFRAME.scenes;
      const { x, z } = (camera as EntityObject3D).getWorldPosition(
        new AFRAME.THREE.Vector3(),
      ) as unknown as EntityObject3D["position"];
      return { x, z };
    });
  }

  /** The user's direction of view along the floor. */
  ownGaze(): Promise<{ x: number; z: number }> {
    return this.page.evaluate(() => {
      const { elements } = (AFRAME.scenes[0].camera as { matrixWorld: { elements: number[] } }).matrixWorld;
      const [backX = 0, , backZ = 1] = elements.slice(8, 11);
      const length = Math.hypot(backX, backZ);
      return { x: -backX / length, z: -backZ / length };
    });
  }

  /** The position on the screen of the floor (y = 0) below an object. */
  floorBeneath(objectId: string): Promise<{ x: number; y: number }> {
    return this.page
      .locator(`[data-object-id="${objectId}"]`)
      .first()
      .evaluate((element) => {
        const { object3D } = element as unknown as { object3D: EntityObject3D };
        const [{ camera, canvas }] = AFRAME.scenes;
        const seen = Object.assign(object3D.getWorldPosition(new AFRAME.THREE.Vector3()), { y: 0 }).project(camera);
        const { left, top, width, height } = canvas.getBoundingClientRect();
        return { x: left + ((seen.x + 1) / 2) * width, y: top + ((1 - seen.y) / 2) * height };
      });
  }

  /** The people whose hold frames are drawn on this page. */
  frames(): Promise<readonly string[]> {
    return this.page.evaluate(() =>
      AFRAME.scenes[0].object3D.children
        .filter(({ name, visible }) => name === "stoa-held" && visible)
        .map(({ userData }) => userData.heldBy),
    );
  }

  /** Holds a key until `there` returns true. */
  async walkUntil(key: string, there: () => Promise<boolean>): Promise<void> {
    await this.page.keyboard.down(key);
    await eventually(`${key} has led there`, there);
    await this.page.keyboard.up(key);
  }

  /** Drags the view until it has turned around. */
  async turnAround(): Promise<void> {
    const { width, height } = this.page.viewportSize() ?? { width: 0, height: 0 };
    // A-Frame's look-controls turn by 0.002 radians a pixel.
    const turnPx = Math.PI / 0.002;
    const drags = Math.ceil(turnPx / (width - 2 * DRAG_MARGIN_PX));
    const { mouse } = this.page;
    for (let drag = 0; drag < drags; drag += 1) {
      await mouse.move(DRAG_MARGIN_PX, height * 0.6);
      await mouse.down();
      await mouse.move(DRAG_MARGIN_PX + turnPx / drags, height * 0.6, { steps: 4 });
      await mouse.up();
    }
  }

  /** Resolves once nothing has changed for several frames. */
  async settled(): Promise<void> {
    await this.page.evaluate(async () => {
      const come = () => performance.getEntriesByType("resource").length;
      for (let before = -1; before !== come(); ) {
        before = come();
        for (let frame = 0; frame < 10; frame += 1) await new Promise((drawn) => requestAnimationFrame(drawn));
      }
    });
  }

  /** Taps an object until the tap had an effect. */
  async tap(objectId: string, reacted: () => Promise<boolean>): Promise<void> {
    await eventually(`a tap on ${objectId} has an effect`, async () => {
      const { x, y } = await this.#onScreen(objectId);
      await this.page.touchscreen.tap(x, y);
      await eventually("the tap's effect", reacted, 3_000);
      return true;
    });
  }

  /** Clicks an object until `reacted` returns true. */
  async click(objectId: string, reacted: () => Promise<boolean>): Promise<void> {
    await eventually(`a click on ${objectId} has an effect`, async () => {
      const { x, y } = await this.#onScreen(objectId);
      await this.page.mouse.move(x, y);
      await this.page.mouse.down();
      await this.page.mouse.up();
      await eventually("the click's effect", reacted, 3_000);
      return true;
    });
  }

  /** The position on the screen of the tip of a gizmo handle. */
  handleOnScreen(axis: "x" | "y" | "z"): Promise<{ x: number; y: number }> {
    return this.page.locator("[stoa-edit-gizmo]").evaluate((element, named) => {
      const { object3D } = element as unknown as { object3D: GizmoObject3D };
      const [{ camera, canvas }] = AFRAME.scenes;
      const holder = object3D.children[0];
      const tip = Object.assign(new AFRAME.THREE.Vector3() as ProjectableVector, { [named]: 0.75 });
      const seen = tip.applyMatrix4(holder?.matrixWorld).project(camera);
      const { left, top, width, height } = canvas.getBoundingClientRect();
      return { x: left + ((seen.x + 1) / 2) * width, y: top + ((1 - seen.y) / 2) * height };
    }, axis);
  }

  #onScreen(objectId: string): Promise<{ x: number; y: number }> {
    return this.page
      .locator(`[data-object-id="${objectId}"]`)
      .first()
      .evaluate((element) => {
        const { object3D } = element as unknown as { object3D: EntityObject3D };
        const [{ camera, canvas }] = AFRAME.scenes;
        const seen = object3D.getWorldPosition(new AFRAME.THREE.Vector3()).project(camera);
        const { left, top, width, height } = canvas.getBoundingClientRect();
        return { x: left + ((seen.x + 1) / 2) * width, y: top + ((1 - seen.y) / 2) * height };
      });
  }
}
