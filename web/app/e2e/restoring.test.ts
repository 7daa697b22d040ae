// Two people build together, undo their own changes, and restore an earlier state, on real pages with the real server.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bytesInWords } from "../src/texts/byte-sizes.ts";
import { launch } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { anyOf, like, texts } from "./texts.ts";

const SCENE = "public/sandbox";
/** The attribute that a new colour changes. */
const COLOR = ["material"];
const FEW = [0, 1, 2, 3];
const DONE = anyOf(FEW.map(texts.history.done));
/** Removes one object, and may create or change a few. */
const REMOVES_ONE = anyOf(
  FEW.flatMap((created) => FEW.map((changed) => texts.history.would({ created, changed, removed: 1 }))),
);

let realm: TestRealm;
let browser: Browser;
let ada: ScenePage;
let bo: ScenePage;
/** The box that Ada creates. */
let box = "";

beforeAll(async () => {
  [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await realm?.end();
});

/** Opens the editor and selects the box. */
async function chooses(who: ScenePage): Promise<void> {
  await who.has(box);
  await who.open("edit");
  if (await who.page.locator("stoa-edit .id strong", { hasText: box }).isVisible()) return;
  await who.page.locator("stoa-edit").getByRole("tab", { name: texts.edit.tabs.things }).click();
  await who.page.locator(`stoa-tree [data-row="${box}"]`).click();
  await who.page.locator("stoa-edit").getByRole("tab", { name: texts.edit.tabs.details }).click();
}

async function paints(who: ScenePage, color: string): Promise<void> {
  await who.page.locator('stoa-edit input[type="color"]').fill(color);
  await isDrawn(color);
}

async function movesTo(who: ScenePage, x: number): Promise<void> {
  const field = who.page.getByLabel(`${texts.edit.details.position} x`);
  await field.fill(String(x));
  await field.press("Enter");
  await standsAt(x);
}

async function isDrawn(color: string): Promise<void> {
  for (const page of [ada, bo])
    await eventually(`the box is ${color}`, async () => `#${await page.colorOf(box)}` === color);
}

async function standsAt(x: number): Promise<void> {
  for (const page of [ada, bo])
    await eventually(`the box stands at ${x}`, async () => Math.abs((await page.placeOf(box)).x - x) < 0.01);
}

async function leaves(x: number): Promise<void> {
  for (const page of [ada, bo])
    await eventually(`the box is no longer at ${x}`, async () => Math.abs((await page.placeOf(box)).x - x) > 1);
}

async function opensHistory(who: ScenePage): Promise<void> {
  await who.page.getByRole("toolbar").getByRole("button", { name: texts.overlay.panels.history }).click();
  await who.page.locator("stoa-history .stretches > li").first().waitFor();
}

async function doesIt(who: ScenePage, expected: string | RegExp): Promise<void> {
  await who.page.locator("stoa-history .wish", { hasText: expected }).waitFor();
  await who.page.locator("stoa-history .wish").getByRole("button", { name: texts.history.doIt }).click();
  await who.page.locator("stoa-history", { hasText: DONE }).waitFor();
}

describe("undoing and restoring changes of two people", () => {
  test("Ada and Bo enter", async () => {
    // Wide enough that all panels have a button of their own.
    const viewport = { width: 1280, height: 480 };
    ada = await ScenePage.enter(browser, SCENE, "Ada", { viewport });
    bo = await ScenePage.enter(browser, SCENE, "Bo", { viewport });
  });

  test("Ada makes a box, and both change it", async () => {
    await ada.open("edit");
    await ada.page.getByRole("button", { name: texts.edit.pieces.box, exact: true }).click();
    const name = ada.page.locator("stoa-edit .id strong");
    await name.waitFor();
    box = (await name.textContent())?.trim() ?? "";
    await ada.has(box);
    await chooses(bo);
    await paints(ada, "#ff0000");
    await movesTo(ada, 12);
    await paints(bo, "#00ff00");
  });

  test("undo reverts a person's own changes, and reports a later change by the other person", async () => {
    await ada.page.getByRole("button", { name: texts.undo.undo }).click();
    await ada.page.locator("stoa-undo", { hasText: texts.undo.done.undo }).waitFor();
    await leaves(12);
    await ada.page.keyboard.press("Control+z");
    await ada.page
      .locator("stoa-undo", { hasText: texts.undo.changed(box, texts.history.guest("Bo"), COLOR) })
      .waitFor();
    await isDrawn("#00ff00");
    await bo.page.getByRole("button", { name: texts.undo.undo }).click();
    await isDrawn("#ff0000");
    await bo.page.keyboard.press("Control+Shift+z");
    await isDrawn("#00ff00");
  });

  test("the history lists each change with its author, and restores an earlier state for both people", async () => {
    await opensHistory(ada);
    const list = ada.page.locator("stoa-history");
    await list.getByText(texts.history.kept(90, bytesInWords(2 ** 30))).waitFor();
    await list
      .locator("h3", { hasText: texts.history.guest("Bo") })
      .first()
      .waitFor();
    const painted = list
      .locator("li li", { hasText: texts.history.changed(box, COLOR, ["#ff0000", "#00ff00"]) })
      .first();
    await painted.waitFor();
    const red = list
      .locator("li li", { hasText: like(texts.history.changed(box, COLOR, ["A1", "#ff0000"]), { A1: /.+/ }) })
      .last();
    await red.getByRole("button").click();
    await doesIt(ada, texts.history.would({ created: 0, changed: 1, removed: 0 }));
    await isDrawn("#ff0000");
  });

  test("the history brings back an object that the other person deleted", async () => {
    await chooses(bo);
    await bo.page.getByRole("button", { name: texts.edit.tools.delete, exact: true }).click();
    await Promise.all([ada.lacks(box), bo.lacks(box)]);
    await ada.page.getByRole("button", { name: texts.history.newer }).click();
    await ada.page
      .getByRole("button", { name: texts.history.back(box) })
      .first()
      .click();
    await doesIt(ada, texts.history.would({ created: 1, changed: 0, removed: 0 }));
    await Promise.all([ada.has(box), bo.has(box)]);
    await isDrawn("#ff0000");
  });

  test("one person's changes of the last hour are undone, and the other person's are kept", async () => {
    await chooses(bo);
    await movesTo(bo, 15);
    await bo.page.getByRole("tab", { name: texts.edit.tabs.add }).click();
    await bo.page.getByRole("button", { name: texts.edit.pieces.sphere }).click();
    const name = bo.page.locator("stoa-edit .id strong");
    await eventually("Bo has made a ball", async () => (await name.textContent()) !== box);
    const ball = (await name.textContent())?.trim() ?? "";
    await ada.has(ball);
    await ada.page.getByRole("button", { name: texts.history.newer }).click();
    await ada.page
      .getByRole("combobox", { name: texts.history.by, exact: true })
      .selectOption({ label: texts.history.guest("Bo") });
    await ada.page.getByRole("button", { name: texts.history.undoHour(texts.history.guest("Bo")) }).click();
    await doesIt(ada, REMOVES_ONE);
    await Promise.all([ada.lacks(ball), bo.lacks(ball)]);
    await ada.has(box);
    await leaves(15);
    expect([...ada.errors, ...bo.errors]).toEqual([]);
  });
});
