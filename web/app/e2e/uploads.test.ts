// Files dropped into a scene: a large model that is replaced by its optimised form, one file of each kind, and refused
// files.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeModel } from "../test/editor/model.ts";
import { addAccounts, enterAs } from "./account-page.ts";
import { launch } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { largeModel, oneOfEach } from "./made-files.ts";
import { HTTP, TestRealm } from "./realm.ts";
import type { ScenePage } from "./scene-page.ts";
import { anyOf, like, texts } from "./texts.ts";

const SCENE = "ada/room";
const LARGE_BYTES = 100_000_000;
const words = texts.edit.files;
/** A size as the page formats it. */
const sized = (value: string, unit: "kB" | "MB" | "GB") =>
  texts.shared.size(value, texts.shared.units[["B", "kB", "MB", "GB"].indexOf(unit)] ?? unit);
const SMALLER = like(words.optimised(sized("A1", "MB"), sized("B2", "kB")), { A1: /1\d\d/, B2: /\d+/ });
const BROKEN = anyOf([words.faulty, words.broken].map((say) => like(say("torn.glb", "A1"), { A1: /.+/ })));
/** The button that adds a file again, by the start of the file's name. */
const addAgain = (start: string): RegExp => like(texts.edit.add.addAgain("A1"), { A1: new RegExp(`${start}\\b.*`) });

let realm: TestRealm;
let browser: Browser;
let ada: ScenePage;
let bo: ScenePage;
let folder: string;

/** Adds a file to the page's uploads. */
async function upload(name: string, bytes: Uint8Array): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  await ada.page.locator("stoa-add input[type=file]").setInputFiles(path);
}

const row = (name: string) => ada.page.locator("stoa-uploads li").filter({ hasText: name }).first();

/** The final message of a file's upload. */
async function endOf(name: string, state: "done" | "failed", withinMs = 60_000): Promise<string> {
  await row(name)
    .and(ada.page.locator(`[data-state="${state}"]`))
    .waitFor({ timeout: withinMs });
  return (await row(name).textContent()) ?? "";
}

/** Records all further states of uploads with their progress. */
async function watchStates(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.locator("stoa-uploads").evaluate((list) => {
    const seen: string[] = [];
    Object.assign(globalThis, { seenStates: seen });
    const look = () => {
      const item = list.shadowRoot?.querySelector<HTMLElement>("[data-upload]");
      const state = item?.dataset.state ?? "";
      const part = item?.querySelector("progress")?.value ?? 0;
      if (state !== "" && seen.at(-1) !== state && !seen.includes(state)) seen.push(state);
      if (part > 0 && part < 1 && !seen.includes(`${state} in parts`)) seen.push(`${state} in parts`);
    };
    const { shadowRoot } = list;
    const how = { subtree: true, childList: true, attributes: true, characterData: true };
    if (shadowRoot) new MutationObserver(look).observe(shadowRoot, how);
  });
  return () => page.evaluate(() => Reflect.get(globalThis, "seenStates"));
}

const usedBytes = (): Promise<number> =>
  ada.page.evaluate(async () => (await (await fetch("/api/v1/store-room")).json()).used_bytes);

describe("uploads", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "stoa-uploads-"));
    [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
    addAccounts(realm, ["ada", "bo"]);
    ada = await enterAs(browser, "ada", { scene: SCENE });
    bo = await enterAs(browser, "bo", { scene: SCENE, viewport: { width: 480, height: 320 } });
    await ada.open("edit");
  });

  afterAll(async () => {
    await browser?.close();
    await realm?.end();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  test("the Add tab shows the file size limit and the free storage", async () => {
    await ada.page.getByText(texts.edit.add.quota(sized("268", "MB"), sized("4.3", "GB"))).waitFor();
  });

  test("a 100 MB model is shown to both people, and only its optimised form counts as used storage", async () => {
    const model = await largeModel(LARGE_BYTES);
    expect(model.length).toBeGreaterThan(LARGE_BYTES);
    const states = await watchStates(ada.page);
    const asked: string[] = [];
    bo.page.on("request", (request) => request.url().includes("/store/") && asked.push(request.url()));
    await upload("hall.glb", model);
    expect(await endOf("hall.glb", "done", 110_000)).toMatch(SMALLER);
    const seen = await states();
    expect(seen.filter((state) => !state.includes("parts"))).toEqual([
      ...["checking", "sending", "optimising", "replacing", "done"],
    ]);
    expect(seen).toContain("sending in parts");
    await eventually("Bo has asked for both", async () => new Set(asked).size === 2);
    expect(asked[1]).toBe(`${asked[0]}?v=2`);
    await eventually("Bo sees the model", () => isShown(bo.page, "hall-"));
    expect(await usedBytes()).toBeLessThan(LARGE_BYTES / 10);
    // Undo and history lead to the same file.
    await ada.page.locator("stoa-edit").getByRole("button", { name: texts.undo.undo }).click();
    await eventually("Bo asks for the first address again", async () => asked.at(-1) === asked[0]);
    await eventually("Bo sees the model again", () => isShown(bo.page, "hall-"));
  }, 180_000);

  test("each kind of file becomes an object that the other person sees", async () => {
    const files = await oneOfEach(ada.page);
    for (const { name, bytes } of files) {
      await upload(name, bytes);
      expect(await endOf(name, "done"), name).toContain(words.states.done);
      await bo.page.locator(`[data-object-id^="${name.replace(/\..*/, "")}-"]`).waitFor({ state: "attached" });
    }
    for (const name of ["tree-", "bush-", "person-"]) await eventually(`Bo sees ${name}`, () => isShown(bo.page, name));
  });

  test("the file list shows thumbnails, and a click adds a file to the scene again", async () => {
    const files = ada.page.locator("stoa-your-files");
    await files.locator("summary").click();
    for (const name of ["hall", "wall", "film", "person"]) {
      const picture = files.getByRole("button", { name: addAgain(name) }).locator("img");
      // Images out of view are not loaded.
      await picture.scrollIntoViewIfNeeded();
      await eventually(`the picture of ${name} is seen`, () => picture.evaluate(isDrawn));
    }
    const halls = bo.page.locator('[data-object-id^="hall-"]');
    const before = await halls.count();
    await files.getByRole("button", { name: addAgain("hall") }).click();
    await eventually("Bo sees another", async () => (await halls.count()) === before + 1);
  });

  test("a broken model is refused with its reason, and isn't stored", async () => {
    const model = await makeModel({ side: 8 });
    await upload("torn.glb", model.subarray(0, model.length - 40));
    expect(await endOf("torn.glb", "failed")).toMatch(BROKEN);
    // Requests from other tools get the realm's own refusal.
    const answer = await ada.page.evaluate(
      async (bytes) => {
        const init = { method: "PUT", body: new Uint8Array(bytes) };
        const response = await fetch("/api/v1/store/users/ada/uploads/torn.glb", init);
        return { status: response.status, detail: (await response.json()).detail };
      },
      [...model.subarray(0, model.length - 40)],
    );
    expect(answer.status).toBe(422);
    expect(answer.detail).toMatch(/\btorn\.glb\b.*: \S/);
    const missing = await ada.page.request.get(`${HTTP}/store/users/ada/uploads/torn.glb`);
    expect(missing.status()).toBe(404);
  });

  test("no page met an error", () => {
    expect([...ada.errors, ...bo.errors]).toEqual([]);
  });
});

/** Whether a picture is loaded and has more than one colour; throws its state otherwise. */
async function isDrawn(element: Element): Promise<boolean> {
  if (!(element instanceof HTMLImageElement) || element.naturalWidth === 0)
    throw new Error(`not loaded: ${element.outerHTML}`);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [16, 16];
  const pen = canvas.getContext("2d");
  pen?.drawImage(element, 0, 0, 16, 16);
  const pixels = new Uint32Array(pen?.getImageData(0, 0, 16, 16).data.buffer ?? new ArrayBuffer());
  const colors = new Set(pixels).size;
  if (colors <= 4) throw new Error(`${colors} colours: ${element.src}, ${element.naturalWidth} pixels wide`);
  return true;
}

/** Whether a file's own content is drawn, and not the marker of a broken file. */
function isShown(page: Page, start: string): Promise<boolean> {
  return page
    .locator(`[data-object-id^="${start}"]`)
    .first()
    .evaluate((element) => {
      const { components } = element as unknown as { components?: Record<string, { behaviour?: { state?: string } }> };
      return components?.["stoa-model"]?.behaviour?.state === "shown";
    });
}
