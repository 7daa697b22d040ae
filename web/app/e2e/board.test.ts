// A new user furnishes a classroom: the empty board asks for a picture and gets one, a wrong address gives an error, a
// door has a name, and no object is placed inside another.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pngOf } from "../test/editor/model.ts";
import { addAccounts, enterAs } from "./account-page.ts";
import { launch } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { HTTP, TestRealm } from "./realm.ts";
import type { ScenePage } from "./scene-page.ts";
import { texts } from "./texts.ts";

const SCENE = "ada/class";

let realm: TestRealm;
let browser: Browser;
let ada: ScenePage;

const edit = (page: Page) => page.locator("stoa-edit");
const inspector = (page: Page) => page.locator("stoa-inspector");
const file = (page: Page) => page.locator("stoa-main-file");

/** Selects an object in the list. */
async function choose(page: Page, id: string): Promise<void> {
  await edit(page).getByRole("tab", { name: texts.edit.tabs.things }).click();
  await page.locator(`stoa-tree [data-row="${id}"]`).click();
  await edit(page).getByRole("tab", { name: texts.edit.tabs.details }).click();
  await inspector(page).locator(`[data-id="${id}"]`).waitFor();
}

/** Adds a palette entry and returns its id. */
async function add(page: Page, piece: keyof typeof texts.edit.pieces): Promise<string> {
  await edit(page).getByRole("tab", { name: texts.edit.tabs.add }).click();
  await page.locator("stoa-add").getByRole("button", { name: texts.edit.pieces[piece], exact: true }).click();
  return (await inspector(page).locator(".id").getAttribute("data-id")) ?? "";
}

/** Whether a picture is drawn on an object, and whether it is marked as broken. */
function looksOf(page: Page, id: string): Promise<{ painted: boolean; marked: boolean }> {
  return page.locator(`[data-object-id="${id}"]`).evaluate((element) => {
    const entity = element as unknown as {
      getObject3D(name: string): { material?: { map?: { image?: unknown } } } | undefined;
    };
    const image = entity.getObject3D("mesh")?.material?.map?.image;
    return { painted: image !== undefined && image !== null, marked: entity.getObject3D("stoa-broken") !== undefined };
  });
}

describe("a classroom", () => {
  beforeAll(async () => {
    [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
    addAccounts(realm, ["ada"]);
    ada = await enterAs(browser, "ada", { scene: "ada/first" });
    const { page } = ada;
    await page.goto(`${HTTP}/`);
    const maker = page.locator("stoa-new-scene");
    await maker.locator(".choice").filter({ hasText: texts.scenes.templates.classroom.name }).click();
    await maker.getByLabel(texts.home.newName).fill("class");
    await maker.getByRole("button", { name: texts.home.create }).click();
    await maker.getByText(texts.scenes.make.made(SCENE)).waitFor();
    await ada.go(SCENE);
    await ada.has("screen-hint");
    await ada.open("edit");
  });

  afterAll(async () => {
    await browser?.close();
    await realm?.end();
  });

  test("a picture chosen from the board's hint replaces the hint, and one undo restores it", async () => {
    const { page } = ada;
    await choose(page, "screen-hint");
    await file(page).getByRole("button", { name: texts.edit.details.file.choose.surface }).waitFor();
    const picture = { name: "cat.png", mimeType: "image/png", buffer: Buffer.from(pngOf(64)) };
    await file(page).locator("input[type=file]").setInputFiles(picture);
    await ada.lacks("screen-hint");
    await eventually("the board shows it", async () => (await looksOf(page, "screen")).painted);
    // One press undoes both.
    await edit(page).getByRole("button", { name: texts.undo.undo }).click();
    await ada.has("screen-hint");
    await eventually("the board is empty", async () => !(await looksOf(page, "screen")).painted);
    await edit(page).getByText(texts.undo.done.undo).waitFor();
    await edit(page).getByText(texts.undo.done.undo).waitFor({ state: "detached" });
  });

  test("a broken picture address is marked with its reason until a valid picture is chosen", async () => {
    const { page } = ada;
    await choose(page, "screen");
    const address = file(page).getByLabel(texts.edit.details.file.address);
    for (const [typed, why] of [
      ["www.example.org/cat.png", "no-address"],
      ["/store/users/ada/scenes/class/none.png", "missing"],
    ] as const) {
      await address.fill(typed);
      await address.press("Enter");
      await file(page).getByText(texts.edit.details.file.broken(texts.loading.reasons[why])).waitFor();
      await page.locator("stoa-loading summary").getByText(texts.loading.broken(1)).waitFor();
      expect(await looksOf(page, "screen")).toEqual({ painted: false, marked: true });
    }
    const picture = { name: "dog.png", mimeType: "image/png", buffer: Buffer.from(pngOf(64)) };
    await file(page).locator("input[type=file]").setInputFiles(picture);
    await eventually("the board shows it", async () => (await looksOf(page, "screen")).painted);
    expect((await looksOf(page, "screen")).marked).toBe(false);
    await page.locator("stoa-loading summary").waitFor({ state: "detached" });
  });

  test("a doorway is named after its target scene, and renaming it changes its id until it is undone", async () => {
    const { page } = ada;
    const door = await add(page, "link");
    await inspector(page).locator(".id").getByText(texts.edit.names.doorwayTo("public/lobby")).waitFor();
    await inspector(page).getByRole("button", { name: texts.edit.names.rename }).click();
    await inspector(page).getByLabel(texts.edit.names.name, { exact: true }).fill("Way out");
    await inspector(page).getByRole("button", { name: texts.edit.names.save }).click();
    await inspector(page).locator('[data-id="Way-out"]').waitFor();
    await ada.has("Way-out");
    await ada.lacks(door);
    await edit(page).getByRole("button", { name: texts.undo.undo }).click();
    await ada.has(door);
    await ada.lacks("Way-out");
  });

  test("objects added one after another are placed apart", async () => {
    const { page } = ada;
    const places: { x: number; z: number }[] = [];
    for (const piece of ["box", "box", "sphere", "cone"] as const) {
      const id = await add(page, piece);
      await ada.has(id);
      const place = await ada.placeOf(id);
      for (const other of places) expect(Math.hypot(place.x - other.x, place.z - other.z)).toBeGreaterThan(0.45);
      places.push(place);
    }
  });

  test("no page met an error", () => {
    expect(ada.errors).toEqual([]);
  });
});
