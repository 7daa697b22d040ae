// Two people build a scene from nothing: shapes, a model from a file, holds, groups and locks. All of it is there after
// a reload.
import { execFileSync } from "node:child_process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeModel, pngOf } from "../test/editor/model.ts";
import { launch, openPage } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { HTTP, TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { fieldName, like, texts } from "./texts.ts";

const PASSWORD = "correct horse battery staple";
const SCENE = "ada/room";
const DESKTOP = { viewport: { width: 1_280, height: 800 } };
const BRIGHTNESS = fieldName("light", "intensity");

let realm: TestRealm;
let browser: Browser;
let ada: ScenePage;
let bo: ScenePage;

/** A page of a signed-in person in the scene. */
async function enterAs(name: string): Promise<ScenePage> {
  const opened = await openPage(browser, DESKTOP);
  const { page } = opened;
  await page.goto(`${HTTP}/`);
  await page.evaluate(
    async ([username, password]) => {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: "" };
      await fetch("/api/v1/login", { ...init, body: JSON.stringify({ username, password }) });
    },
    [name, PASSWORD],
  );
  if (name === "ada") {
    const settings = JSON.stringify({ public_write: true });
    const init = { method: "PUT", headers: { "content-type": "application/json" }, body: settings };
    await page.evaluate(([path, how]) => fetch(path as string, how as RequestInit), [`/api/v1/scenes/${SCENE}`, init]);
  }
  const entered = ScenePage.on(opened);
  await entered.go(SCENE);
  return entered;
}

const edit = (page: Page) => page.locator("stoa-edit");
const idOf = async (page: Page): Promise<string> =>
  (await page.locator("stoa-inspector .id").getAttribute("data-id")) ?? "";

/** Adds a palette entry and returns its id. */
async function add(person: ScenePage, piece: keyof typeof texts.edit.pieces): Promise<string> {
  const { page } = person;
  await edit(page).getByRole("tab", { name: texts.edit.tabs.add }).click();
  await page.locator("stoa-add").getByRole("button", { name: texts.edit.pieces[piece], exact: true }).click();
  await page.locator("stoa-inspector .id").waitFor();
  return idOf(page);
}

/** The row of an object in the list. */
const row = (page: Page, id: string) => page.locator(`stoa-tree [data-row="${id}"]`);

describe("building together", () => {
  beforeAll(async () => {
    [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
    for (const name of ["ada", "bo"])
      execFileSync(String(process.env.STOA_BIN), ["user", "add", name, "--data", realm.folder], {
        input: `${PASSWORD}\n`,
      });
    ada = await enterAs("ada");
    bo = await enterAs("bo");
    await Promise.all([ada.open("edit"), bo.open("edit")]);
  });

  afterAll(async () => {
    await browser?.close();
    await realm?.end();
  });

  test("the other page marks a selected object with the name of the person who selected it", async () => {
    const table = await add(ada, "box");
    await bo.has(table);
    await edit(bo.page).getByRole("tab", { name: texts.edit.tabs.things }).click();
    await row(bo.page, table).getByText(texts.edit.heldBy("ada")).waitFor();
    await eventually("Bo sees a frame around it", async () => (await bo.frames()).join() === "ada");
    expect(await ada.frames()).toEqual([]);
    await edit(ada.page).getByRole("button", { name: texts.edit.tools.done }).click();
    await row(bo.page, table).getByText(texts.edit.heldBy("ada")).waitFor({ state: "detached" });
    expect(await bo.frames()).toEqual([]);
  });

  test("dragging the y arrow moves an object along y only, also on the other page", async () => {
    const post = await add(ada, "cylinder");
    await bo.has(post);
    await ada.has(post);
    const before = await bo.placeOf(post);
    const arrow = await ada.handleOnScreen("y");
    const { mouse } = ada.page;
    await mouse.move(arrow.x, arrow.y);
    await mouse.down();
    await mouse.move(arrow.x + 30, arrow.y - 60, { steps: 8 });
    await mouse.up();
    await eventually("Bo sees it higher", async () => (await bo.placeOf(post)).y > before.y + 0.1);
    const after = await bo.placeOf(post);
    expect([after.x, after.z]).toEqual([before.x, before.z]);
  });

  test("a field shows an error for an invalid brightness, and a valid one reaches the other page", async () => {
    const lamp = await add(ada, "light");
    await bo.has(lamp);
    const field = ada.page.locator("stoa-field").filter({ hasText: BRIGHTNESS }).locator("input").first();
    await field.fill("-3");
    await field.press("Tab");
    await ada.page.getByText(texts.edit.details.below(0)).waitFor();
    await field.fill("2.5");
    await field.press("Tab");
    await edit(bo.page).getByRole("tab", { name: texts.edit.tabs.things }).click();
    await row(bo.page, lamp).click();
    await edit(bo.page).getByRole("tab", { name: texts.edit.tabs.details }).click();
    const seen = bo.page.locator("stoa-field").filter({ hasText: BRIGHTNESS }).locator("input").first();
    await eventually("Bo's field shows it", async () => (await seen.inputValue()) === "2.5");
  });

  test("objects are grouped, locked for both people, unlocked and ungrouped", async () => {
    const [a, b] = [await add(ada, "sphere"), await add(ada, "cone")];
    await Promise.all([ada.has(a), ada.has(b), bo.has(b)]);
    const { page } = ada;
    await edit(page).getByRole("tab", { name: texts.edit.tabs.things }).click();
    await row(page, a).click();
    await row(page, b).click({ modifiers: ["Control"] });
    await page.keyboard.press("Control+g");
    await page.locator('stoa-tree [data-row^="group-"][aria-selected="true"]').waitFor();
    const group = (await page.locator('stoa-tree [data-row^="group-"]').getAttribute("data-row")) ?? "";
    expect(await row(page, a).getAttribute("aria-level")).toBe("2");
    await page.keyboard.press("l");
    await edit(bo.page).getByRole("tab", { name: texts.edit.tabs.things }).click();
    await row(bo.page, group).getByRole("img", { name: texts.edit.lockedMark }).waitFor();
    await row(bo.page, group).click();
    await bo.page.keyboard.press("Delete");
    await bo.page.getByText(texts.edit.locked).first().waitFor();
    await bo.has(a);
    await page.keyboard.press("l");
    await row(page, group).getByRole("img", { name: texts.edit.lockedMark }).waitFor({ state: "detached" });
    await page.keyboard.press("Control+Shift+g");
    await row(page, group).waitFor({ state: "detached" });
    expect(await row(page, a).getAttribute("aria-level")).toBe("1");
  });

  test("an uploaded model is shown to the other person, and replaced by its optimised form", async () => {
    const { page } = ada;
    await edit(page).getByRole("tab", { name: texts.edit.tabs.add }).click();
    await page.getByText(like(texts.edit.add.quota("A1", "B2"), { A1: /.+/, B2: /.+/ })).waitFor();
    const model = await makeModel({ side: 96, twice: true, texture: pngOf(600) });
    const file = { name: "My sheet.glb", mimeType: "model/gltf-binary", buffer: Buffer.from(model) };
    const smaller = bo.page.waitForResponse((response) => response.url().endsWith(".glb?v=2") && response.ok());
    await page.locator("stoa-add input[type=file]").setInputFiles(file);
    const upload = page.locator("stoa-uploads li");
    await upload.and(page.locator('[data-state="done"]')).waitFor();
    expect(await upload.textContent()).toMatch(like(texts.edit.files.optimised("A1", "B2"), { A1: /.+/, B2: /.+/ }));
    await bo.page.locator('[data-object-id^="My-sheet-"]').waitFor({ state: "attached" });
    const bytes = await (await smaller).body();
    expect(bytes.length).toBeLessThan(model.length / 2);
    expect(bytes.toString("latin1")).toContain("EXT_texture_webp");
  });

  test("a file that isn't a model is refused with a message", async () => {
    const { page } = ada;
    const file = { name: "trick.glb", mimeType: "model/gltf-binary", buffer: Buffer.from("<html>no</html>") };
    await edit(page).getByRole("tab", { name: texts.edit.tabs.add }).click();
    await page.locator("stoa-add input[type=file]").setInputFiles(file);
    await page.getByText(texts.edit.files.otherThanItSays("trick.glb", "glb")).waitFor();
  });

  test("a picture dropped on the page is placed at the drop position", async () => {
    const { page } = ada;
    const at = [420, 620] as const;
    await drop(page, { name: "wall.png", bytes: [...pngOf(64)], at });
    const picture = bo.page.locator('[data-object-id^="wall-"]').first();
    await picture.waitFor({ state: "attached" });
    const id = (await picture.getAttribute("data-object-id")) ?? "";
    await ada.has(id);
    await eventually("it stands where the mouse was", async () => {
      const { x, y } = await ada.floorBeneath(id);
      return Math.hypot(x - at[0], y - at[1]) < 3;
    });
    const { x, z } = await ada.placeOf(id);
    await eventually("for Bo too", async () => {
      const his = await bo.placeOf(id);
      return his.x === x && his.z === z;
    });
  });

  test("a newcomer sees the uploaded model, and no page met an error", async () => {
    const late = await ScenePage.enter(browser, SCENE, "Cy");
    await late.page.locator('[data-object-id^="My-sheet-"]').waitFor({ state: "attached" });
    expect([...ada.errors, ...bo.errors, ...late.errors]).toEqual([]);
  });
});

/** Drops a file on the page, like a file manager. */
function drop(page: Page, what: { name: string; bytes: number[]; at: readonly [number, number] }): Promise<void> {
  return page.evaluate(({ name, bytes, at: [clientX, clientY] }) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
    for (const type of ["dragover", "drop"]) {
      const how = { dataTransfer, clientX, clientY, bubbles: true, cancelable: true };
      document.querySelector("canvas")?.dispatchEvent(new DragEvent(type, how));
    }
  }, what);
}
