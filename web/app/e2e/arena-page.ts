// Drives a page of ARENA's own web client.
import type { Browser, Page } from "playwright-core";
import { eventually } from "./eventually.ts";

const HOST = "https://localhost";

interface PageObject3D {
  getWorldPosition(target: unknown): { project(camera: unknown): { x: number; y: number; z: number } };
  getObjectByProperty(name: string, value: unknown): { material: { color: { getHexString(): string } } } | undefined;
  quaternion: { x: number; y: number; z: number; w: number };
}

declare const AFRAME: {
  THREE: { Vector3: new () => unknown };
  scenes: [{ camera: unknown; canvas: HTMLCanvasElement }];
};
declare const ARENA: { idTag?: string } | undefined;

/** One person's page of ARENA's web client. */
export class ArenaPage {
  readonly page: Page;
  /** The page's errors, and its failed requests to this host. */
  readonly complaints: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("response", (response) => {
      if (response.url().startsWith(HOST) && response.status() >= 400) {
        this.complaints.push(`${response.status()} ${response.url()}`);
      }
    });
  }

  static async open(browser: Browser): Promise<ArenaPage> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 480, height: 360 } });
    return new ArenaPage(await context.newPage());
  }

  /** Enters without an account, by ARENA's documented address. */
  async enterAsGuest(scene: string, name: string): Promise<void> {
    await this.page.goto(`${HOST}/${scene}?noav=1&auth=anonymous&userName=${name}`);
    await this.live();
  }

  /** Enters by the sign-in page, to which ARENA's client redirects unknown users. */
  async enterAsMember(scene: string, name: string, password: string): Promise<void> {
    await this.page.goto(`${HOST}/${scene}?noav=1`);
    await this.page.locator("input[name=username]").fill(name);
    await this.page.locator("input[name=password]").fill(password);
    await this.page.locator("input[name=password]").press("Enter");
    await this.live();
  }

  /** Resolves once the scene's connection is open, which sets the id. */
  async live(): Promise<void> {
    await eventually("the scene is entered", async () => (await this.id()) !== "", 60_000);
    await this.page.locator("canvas.a-canvas").waitFor({ timeout: 60_000 });
  }

  /** The idTag; empty before the scene is entered. */
  id(): Promise<string> {
    return this.page.evaluate(() => (typeof ARENA === "undefined" ? "" : (ARENA.idTag ?? "")));
  }

  async has(id: string): Promise<void> {
    await this.page.locator(`[id="${id}"]`).waitFor({ state: "attached", timeout: 60_000 });
  }

  async lacks(id: string): Promise<void> {
    await this.page.locator(`[id="${id}"]`).waitFor({ state: "detached", timeout: 60_000 });
  }

  /** The colour in which an object is drawn, as `rrggbb`. */
  colorOf(id: string): Promise<string | undefined> {
    return this.page.locator(`[id="${id}"]`).evaluate((element) => {
      const { object3D } = element as unknown as { object3D: PageObject3D };
      return object3D.getObjectByProperty("isMesh", true)?.material.color.getHexString();
    });
  }

  /** The y component of a person's orientation quaternion, the rotation about the vertical axis. */
  turnOf(id: string): Promise<number> {
    return this.page
      .locator(`[id="${id}"]`)
      .evaluate((element) => (element as unknown as { object3D: PageObject3D }).object3D.quaternion.y);
  }

  /**
   * Drags the view aside. Walking by keys doesn't work here: A-Frame ignores it in frames over 200 ms, which software
   * rendering reaches.
   */
  async lookAside(): Promise<void> {
    const { mouse } = this.page;
    await mouse.move(100, 200);
    await mouse.down();
    await mouse.move(300, 200, { steps: 4 });
    await mouse.up();
  }

  /** Clicks an object until the click had an effect. */
  async click(id: string, reacted: () => Promise<boolean>): Promise<void> {
    await eventually(`a click on ${id} has an effect`, async () => {
      const { x, y } = await this.#onScreen(id);
      await this.page.mouse.move(x, y);
      // A-Frame's cursor updates its target once a frame.
      await this.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      await this.page.mouse.click(x, y, { delay: 100 });
      return reacted();
    });
  }

  #onScreen(id: string): Promise<{ x: number; y: number }> {
    return this.page.locator(`[id="${id}"]`).evaluate((element) => {
      const { camera, canvas } = AFRAME.scenes[0];
      const { object3D } = element as unknown as { object3D: PageObject3D };
      const place = object3D.getWorldPosition(new AFRAME.THREE.Vector3()).project(camera);
      return { x: ((place.x + 1) / 2) * canvas.clientWidth, y: ((1 - place.y) / 2) * canvas.clientHeight };
    });
  }

  async say(text: string): Promise<void> {
    const popup = this.page.locator(".chat-popup");
    if (!(await popup.isVisible())) await this.page.locator(".chat-button").first().click();
    await popup.locator("textarea").fill(text);
    await popup.locator("button.btn").click();
  }

  async hears(text: string): Promise<void> {
    await this.page.locator(".chat-popup .message-list", { hasText: text }).waitFor({ state: "attached" });
  }
}
