// A scene is created from a template, furnished, exported, deleted and imported again; duplicated; exported as a model
// and imported elsewhere.
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeModel } from "../test/editor/model.ts";
import { launch, openPage } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { HTTP, TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { like, texts } from "./texts.ts";

const PASSWORD = "correct horse battery staple";
const DESKTOP = { viewport: { width: 1_280, height: 800 }, acceptDownloads: true };
const { carry, make, templates } = texts.scenes;

let realm: TestRealm;
let browser: Browser;
let ada: ScenePage;

/** The form that creates scenes. */
const maker = (page: Page) => page.locator("stoa-new-scene");

async function begin(page: Page, how: { with: string; name: string; file?: Buffer; fileName?: string }): Promise<void> {
  await page.goto(`${HTTP}/`);
  await maker(page).locator(".choice").filter({ hasText: how.with }).click();
  if (how.file !== undefined)
    await maker(page)
      .getByLabel(make.chooseFile)
      .setInputFiles({ name: how.fileName ?? "scene.jsonl", mimeType: "application/x-ndjson", buffer: how.file });
  await maker(page).getByLabel(texts.home.newName).fill(how.name);
  await maker(page).getByRole("button", { name: texts.home.create }).click();
}

/** The file that a press of a button downloads. */
async function saved(page: Page, button: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator("stoa-carry").getByRole("button", { name: button }).first().click(),
  ]);
  return readFile(await download.path());
}

/** The JSON of a binary glTF. */
function jsonOf(glb: Buffer): { nodes: { name?: string; extensions?: Record<string, unknown> }[] } {
  return JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12)).toString("utf8"));
}

describe("whole scenes", () => {
  beforeAll(async () => {
    [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
    execFileSync(String(process.env.STOA_BIN), ["user", "add", "ada", "--data", realm.folder], {
      input: `${PASSWORD}\n`,
    });
    const opened = await openPage(browser, DESKTOP);
    await opened.page.goto(`${HTTP}/`);
    await opened.page.evaluate(async (password) => {
      const headers = { "content-type": "application/json" };
      await fetch("/api/v1/login", { method: "POST", headers, body: JSON.stringify({ username: "ada", password }) });
    }, PASSWORD);
    ada = ScenePage.on(opened);
  });

  afterAll(async () => {
    await browser?.close();
    await realm?.end();
  });

  test("a scene from the meeting template has seats, and people enter facing its table", async () => {
    const { page } = ada;
    await begin(page, { with: templates.meeting.name, name: "round" });
    await maker(page).getByText(make.made("ada/round")).waitFor();
    await maker(page).getByRole("link", { name: make.enter }).click();
    await ada.live();
    await ada.has("seat-12");
    await ada.has("table");
    // People enter at the door and face the table.
    const [at, gaze, table] = [await ada.ownHead(), await ada.ownGaze(), await ada.placeOf("table")];
    expect(Math.hypot(at.x, at.z - 5.4), "from the door").toBeLessThan(0.9);
    const [x, z] = [table.x - at.x, table.z - at.z];
    expect((x * gaze.x + z * gaze.z) / Math.hypot(x, z), "the cosine between").toBeGreaterThan(0.95);
  });

  test("a deleted scene is created again from its export, with its uploaded model", async () => {
    const { page } = ada;
    await ada.open("edit");
    await page.locator("stoa-edit").getByRole("tab", { name: texts.edit.tabs.add }).click();
    const model = Buffer.from(await makeModel({ side: 12 }));
    await page
      .locator("stoa-add input[type=file]")
      .setInputFiles({ name: "Sheet.glb", mimeType: "model/gltf-binary", buffer: model });
    await page.locator('stoa-uploads li[data-state="done"]').waitFor();
    const sheet = await page.locator('[data-object-id^="Sheet-"]').first().getAttribute("data-object-id");
    await ada.openPanel("settings");
    const file = await saved(page, carry.save);
    await page.getByText(like(carry.saved("ada-round.jsonl", "A1"), { A1: /.+/ })).waitFor();
    const address = /"url":"(\/store\/[^"]+)"/.exec(file.toString("utf8"))?.[1] ?? "";
    expect(address).toContain("/store/users/ada/scenes/round/");

    await page.evaluate(async () => {
      await fetch("/api/v1/scenes/ada/round", { method: "DELETE" });
      await fetch("/storemng/api/resources/users/ada/scenes/round/", { method: "DELETE" });
    });
    await page.goto(`${HTTP}/ada/round`);
    await page
      .getByRole("heading", { name: texts.refused.kinds.not_found.title, exact: false })
      .or(page.locator("stoa-refused h1"))
      .first()
      .waitFor();

    await begin(page, { with: make.file, name: "again", file });
    await maker(page).getByText(make.made("ada/again")).waitFor();
    await maker(page).getByRole("link", { name: make.enter }).click();
    await ada.live();
    for (const id of ["seat-1", "roof", "start", String(sheet)]) await ada.has(id);
    const bytes = await page.evaluate(
      async (path) => {
        const response = await fetch(path);
        return { status: response.status, length: (await response.arrayBuffer()).byteLength };
      },
      address.replace("/scenes/round/", "/scenes/again/"),
    );
    expect(bytes.status).toBe(200);
    expect(bytes.length).toBeGreaterThan(500);
  });

  test("a file that isn't a scene and a scene name that is taken are refused with a message", async () => {
    const { page } = ada;
    const other = { with: make.file, name: "nonsense", fileName: "holidays.json" };
    for (const file of ["<html>", '{"name":"holidays"}']) {
      await begin(page, { ...other, file: Buffer.from(file) });
      await maker(page).getByText(make.noScene("holidays.json"), { exact: false }).waitFor();
    }
    await maker(page).getByLabel(texts.home.newName).fill("again");
    await maker(page).getByRole("button", { name: texts.home.create }).click();
    await maker(page).getByText(texts.home.taken("ada/again")).waitFor();
  });

  test("a duplicate of a scene has its objects and its model", async () => {
    const { page } = ada;
    await page.goto(`${HTTP}/`);
    const card = page.locator("li.scene").filter({ hasText: "ada/again" });
    await card.getByText(carry.title).click();
    await card.getByLabel(carry.copyName).fill("second");
    await card.getByRole("button", { name: carry.copy }).click();
    await page.locator("li.scene .name").filter({ hasText: "ada/second" }).waitFor();
    await ada.go("ada/second");
    for (const id of ["seat-7", "lamp"]) await ada.has(id);
    await page.locator('[data-object-id^="Sheet-"]').first().waitFor({ state: "attached" });
  });

  test("a scene exported as a model keeps its spots and portals when it is imported elsewhere", async () => {
    const { page } = ada;
    await page.evaluate(async () => {
      const create = {
        portal: { scene: "public/lobby", radius: 0 },
        object_type: "box",
        position: { x: 0, y: 1, z: -5 },
      };
      const head = { stoa_scene: 1, scene: "ada/gate", settings: {} };
      const things = [
        { object_id: "way-out", type: "object", attributes: create },
        {
          object_id: "stage",
          type: "object",
          attributes: {
            object_type: "entity",
            position: { x: 1, y: 0, z: 2 },
            landmark: {
              label: "The stage",
              startingPosition: true,
              lookAtLandmark: false,
              randomRadiusMin: 0,
              randomRadiusMax: 0,
            },
          },
        },
      ];
      const body = [head, ...things].map((line) => JSON.stringify(line)).join("\n");
      await fetch("/api/v1/scenes/ada/gate/import", { method: "POST", body });
    });
    await ada.go("ada/gate");
    await ada.has("way-out");
    await ada.openPanel("settings");
    const glb = await saved(page, carry.model);
    expect(glb.subarray(0, 4).toString()).toBe("glTF");
    const said = new Map(jsonOf(glb).nodes.map(({ name, extensions }) => [name, extensions]));
    expect(said.get("stage")).toMatchObject({ OMI_spawn_point: { title: "The stage" } });
    expect(said.get("way-out")).toMatchObject({ OMI_link: { uri: `${HTTP}/public/lobby` } });

    await begin(page, { with: templates.empty.name, name: "new" });
    await maker(page).getByRole("link", { name: make.enter }).click();
    await ada.live();
    await ada.openPanel("settings");
    const file = { name: "Gate.glb", mimeType: "model/gltf-binary", buffer: glb };
    await page.locator("stoa-carry input[type=file]").setInputFiles(file);
    await page.getByText(carry.brought(1, 1)).waitFor();
    await page.locator('[data-object-id^="gate-"]').first().waitFor({ state: "attached" });
    const place =
      (await page.locator('[data-object-id^="place-the-stage"]').first().getAttribute("data-object-id")) ?? "";
    await ada.openPanel("places");
    await page.locator("stoa-places").getByText("The stage").waitFor();
    const model = (await page.locator('[data-object-id^="gate-"]').first().getAttribute("data-object-id")) ?? "";
    await eventually("it stands before her, and the place in it where it stood", async () => {
      const [stands, whole] = [await ada.placeOf(place), await ada.placeOf(model)];
      // The landmark is a child of it.
      const isBefore = Math.hypot(whole.x, whole.z) > 1;
      return isBefore && Math.abs(stands.x - 1) < 0.01 && Math.abs(stands.z - 2) < 0.01;
    });
    await page.locator('[data-object-id^="door-way-out"]').first().waitFor({ state: "attached" });
  });

  test("renaming a scene moves the people inside, and its old address redirects to the new one", async () => {
    const { page } = ada;
    await ada.go("ada/gate");
    await ada.has("way-out");
    const bo = await ScenePage.enter(browser, "ada/gate", "Bo");
    await ada.openPanel("settings");
    await page.getByLabel(texts.settings.sceneName).fill("harbour");
    await page.getByRole("button", { name: texts.settings.renameScene }).click();
    for (const one of [ada, bo]) {
      await one.page.waitForURL(`${HTTP}/ada/harbour`);
      await one.live();
      await one.has("way-out");
    }
    await ada.sees("Bo");
    const late = await ScenePage.enter(browser, "ada/gate", "Cy");
    expect(late.page.url()).toBe(`${HTTP}/ada/harbour`);
    await late.has("way-out");
    for (const { page: one } of [bo, late]) await one.context().close();
  });

  test("no page met an error", () => {
    expect(ada.errors).toEqual([]);
  });
});
