// An operator's folder of pages, laid out like ARENA's: a page that shows the realm's files in a frame and loads a
// library from another host.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch, type OpenedPage, openPage } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { HTTP, TestRealm } from "./realm.ts";

const PASSWORD = "correct horse battery staple";
const LIBRARY = "https://cdn.jsdelivr.net/npm/library.js";
const FRAMING = `<!doctype html><title>files</title><script src="${LIBRARY}"></script><iframe src="/storemng"></iframe>`;
const SCENE = `<!doctype html><title>scene</title><script src="${LIBRARY}"></script>`;

let realm: TestRealm;
let browser: Browser;
let folder: string;
let opened: OpenedPage;

async function frame(): Promise<Frame> {
  const inner = () => opened.page.frames().find((candidate) => candidate.url().includes("/storemng/files/"));
  await eventually("the frame is there", async () => inner() !== undefined);
  return inner() as Frame;
}

async function shows(text: string, isShown = true): Promise<void> {
  await eventually(`${text}: ${isShown}`, async () => {
    const told = await (await frame()).locator("table").textContent();
    return told?.includes(text) === isShown;
  });
}

async function loads(path: string): Promise<boolean> {
  await opened.page.goto(`${HTTP}${path}`);
  return opened.page.evaluate(() => "library" in globalThis);
}

describe("pages laid out as ARENA's", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "stoa-pages-"));
    await mkdir(join(folder, "files"));
    await writeFile(join(folder, "files/index.html"), FRAMING);
    await writeFile(join(folder, "index.html"), SCENE);
    [realm, browser] = await Promise.all([TestRealm.start(["--web", folder]), launch()]);
    const line = ["user", "add", "bo", "--data", realm.folder];
    execFileSync(String(process.env.STOA_BIN), line, { input: `${PASSWORD}\n` });
    opened = await openPage(browser);
    await opened.page.route(LIBRARY, (route) =>
      route.fulfill({ contentType: "text/javascript", body: "var library;" }),
    );
    await opened.page.goto(`${HTTP}/user/v2/login`);
    await opened.page.locator("input[name=username]").fill("bo");
    await opened.page.locator("input[name=password]").fill(PASSWORD);
    await opened.page.locator("input[name=password]").press("Enter");
    await opened.page.waitForURL(`${HTTP}/`);
  });

  afterAll(async () => {
    await browser?.close();
    await realm?.end();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  test("the files page may load a script from another host, the scene page may not", async () => {
    expect(await loads("/public/lobby")).toBe(false);
    expect(await loads("/files")).toBe(true);
    expect(opened.page.url()).toBe(`${HTTP}/files/`);
  });

  test("a file is uploaded and removed in the framed file list", async () => {
    await eventually("there is one row, and no file in it", async () => {
      const table = (await frame()).locator("table");
      return (await table.locator("tr").count()) === 1 && (await table.locator("a, button").count()) === 0;
    });
    const file = { name: "my duck.txt", mimeType: "text/plain", buffer: Buffer.from("quack") };
    await (await frame()).locator("#files").setInputFiles(file);
    await (await frame()).locator("#upload button").click();
    await shows("my duck.txt");
    const stored = await opened.page.request.get(`${HTTP}/store/users/bo/my%20duck.txt`);
    expect(await stored.text()).toBe("quack");
    opened.page.once("dialog", (dialog) => void dialog.accept());
    await (await frame()).locator("button[data-remove]").click();
    await shows("my duck.txt", false);
    expect((await opened.page.request.get(`${HTTP}/store/users/bo/my%20duck.txt`)).status()).toBe(404);
    expect(opened.errors).toEqual([]);
  });
});
