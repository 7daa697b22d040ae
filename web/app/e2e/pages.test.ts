// Other ways in: the owner's link, a phone, a headset.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, openPage } from "./browser.ts";
import { Child } from "./children.ts";
import { eventually } from "./eventually.ts";
import { HTTP, TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { linkInto, texts } from "./texts.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const PHONE = { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 };
const PASSWORD = "correct horse battery";

let realm: TestRealm;
let browser: Browser;
let lobby: Child;

beforeAll(async () => {
  [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
  lobby = new Child(["python", join(ROOT, "examples/lobby.py"), realm.folder]);
});

afterAll(async () => {
  await Promise.all([browser?.close(), lobby?.end("SIGKILL")]);
  await realm?.end();
});

describe("entering by owner link, sign-in, phone and headset", () => {
  test("the owner link creates one owner account, which can create a scene", async () => {
    const { page, errors } = await openPage(browser);
    const link = new URL(await realm.ownerLink());
    await page.goto(`${HTTP}/owner${link.hash}`);
    await redeem(page, "olga");
    await page.getByRole("heading", { name: texts.owner.welcome }).waitFor();
    expect(page.url(), "the secret is out of the address").not.toContain(link.hash);
    await page.getByRole("link", { name: texts.owner.seeScenes }).click();
    await page.getByLabel(texts.home.newName).fill("olga/atelier");
    await page.getByRole("button", { name: texts.home.create }).click();
    await page.getByRole("link", { name: linkInto("olga/atelier", false) }).waitFor();
    expect(errors).toEqual([]);
    await page.context().close();
    const { page: late } = await openPage(browser);
    await late.goto(`${HTTP}/owner${link.hash}`);
    await expectText(late, texts.owner.used);
    expect(await late.getByRole("button", { name: texts.owner.become }).count()).toBe(0);
    await late.context().close();
  });

  test("an account signs in and out on the list of scenes", async () => {
    const { page } = await openPage(browser);
    await page.goto(HTTP);
    await page.getByText(texts.shared.signIn).first().click();
    await page.getByLabel(texts.shared.accountName).fill("olga");
    await page.getByLabel(texts.shared.password).fill("not the password");
    await page.getByRole("button", { name: texts.shared.signIn }).click();
    await expectText(page, texts.signIn.wrong);
    await page.getByLabel(texts.shared.password).fill(PASSWORD);
    await page.getByRole("button", { name: texts.shared.signIn }).click();
    await page.getByRole("button", { name: texts.signIn.signOut }).click();
    await page.getByRole("link", { name: linkInto("public/lobby") }).waitFor();
    await page.context().close();
  });

  test("a phone user walks by the touch pad and taps a clickable object", async () => {
    const watcher = await ScenePage.enter(browser, "public/lobby", "Watcher");
    const phone = await ScenePage.enter(browser, "public/lobby", "Pia", PHONE);
    await watcher.page.locator("[stoa-avatar]").waitFor({ state: "attached" });
    const before = await watcher.otherHead();
    await dragPad(phone.page, async () => {
      await eventually("Pia's head has moved", async () => {
        const { x, z } = await watcher.otherHead();
        return Math.hypot(x - before.x, z - before.z) > 0.3;
      });
    });
    const color = await watcher.colorOf("lamp");
    await phone.tap("lamp", async () => (await watcher.colorOf("lamp")) !== color);
    expect([...watcher.errors, ...phone.errors]).toEqual([]);
    await Promise.all([watcher.page.context().close(), phone.page.context().close()]);
  });

  test("without a headset the VR button toggles full screen, in which the panels work", async () => {
    const ada = await ScenePage.enter(browser, "public/lobby", "Ada");
    const { page } = ada;
    const isWhole = () => page.evaluate(() => document.fullscreenElement?.localName ?? "none");
    const button = page.locator(".a-enter-vr-button");
    await button.click();
    await eventually("it is on the whole screen", async () => (await isWhole()) === "stoa-scene");
    expect(await page.evaluate(() => AFRAME.scenes[0].is("vr-mode"))).toBe(false);
    await ada.say("Hello from the whole screen");
    await ada.close();
    await button.click();
    await eventually("it is back", async () => (await isWhole()) === "none");
    expect(ada.errors).toEqual([]);
    await page.context().close();
  });

  test("another page shows the hands of a person who enters VR", async () => {
    const watcher = await ScenePage.enter(browser, "public/lobby", "Watcher");
    const { page, errors } = await openPage(browser);
    await page.addInitScript({ path: createRequire(import.meta.url).resolve("iwer/build/iwer.min.js") });
    await page.addInitScript("new IWER.XRDevice(IWER.metaQuest3).installRuntime({ forceInstall: true });");
    const wearer = await ScenePage.enterOn({ page, errors }, "public/lobby", "Vera");
    await wearer.page.locator(".a-enter-vr-button").click();
    await wearer.page.waitForFunction(() => AFRAME.scenes[0].is("vr-mode"));
    await watcher.page.locator("[stoa-hand]").first().waitFor({ state: "attached" });
    expect([...watcher.errors, ...errors]).toEqual([]);
    await Promise.all([watcher.page.context().close(), page.context().close()]);
  });
});

declare const AFRAME: { scenes: [{ is(state: string): boolean }] };

async function redeem(page: Page, name: string): Promise<void> {
  await page.getByLabel(texts.shared.accountName).fill(name);
  await page.getByLabel(texts.owner.passwordRule).fill(PASSWORD);
  await page.getByLabel(texts.owner.again).fill(PASSWORD);
  await page.getByRole("button", { name: texts.owner.become }).click();
}

async function expectText(page: Page, text: string): Promise<void> {
  await page.getByRole("alert").filter({ hasText: text }).first().waitFor();
}

/** Pushes the touch pad forwards while `meanwhile` runs. */
async function dragPad(page: Page, meanwhile: () => Promise<void>): Promise<void> {
  const box = await page.locator("stoa-pad").boundingBox();
  if (box === null) throw new Error("the page has no touch pad");
  const x = box.x + box.width / 2;
  const touch = await page.context().newCDPSession(page);
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y: box.y + box.height / 2 }] });
  await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x, y: box.y + 5 }] });
  await meanwhile();
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}
