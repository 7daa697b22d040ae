// A new user's first day from end to end: real Chromium, the real server, unmodified arena-py and a Python script; then
// a power loss.
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launch } from "./browser.ts";
import { Child } from "./children.ts";
import { eventually } from "./eventually.ts";
import { TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { texts } from "./texts.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
/** arena-py 1.6.0 retries at once and then every 60 s. */
const ARENA_BACK_MS = 100_000;

let realm: TestRealm;
let browser: Browser;
let ada: ScenePage;
let bo: ScenePage;
let hello: Child;
let arena: Child;
let work: string;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "stoa-scripts-"));
  [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
  await symlink(realm.folder, join(work, "stoa-data"));
});

afterAll(async () => {
  await Promise.all([browser?.close(), hello?.end("SIGKILL"), arena?.end("SIGKILL")]);
  await realm?.end();
  await rm(work, { recursive: true, force: true });
});

async function startArena(): Promise<Child> {
  const home = join(work, "home");
  await mkdir(home);
  const token = await realm.token("alice", "public/lobby");
  const environment = { HOME: home, ARENA_USERNAME: "alice", ARENA_PASSWORD: token, PYTHONPATH: "" };
  return new Child([process.env.ARENA_PYTHON ?? "python3", join(ROOT, "interop/arena_box.py")], environment, work);
}

describe("a new user's first day", () => {
  test("two guests enter the lobby and see each other", async () => {
    ada = await ScenePage.enter(browser, "public/lobby", "Ada");
    await ada.seesNobodyElse();
    bo = await ScenePage.enter(browser, "public/lobby", "Bo");
    await Promise.all([ada.sees("Bo"), bo.sees("Ada")]);
  });

  test("Bo sees Ada walk", async () => {
    await ada.close();
    const before = await bo.otherHead();
    await ada.page.keyboard.down("w");
    await eventually("Ada's head has moved on Bo's page", async () => {
      const { x, z } = await bo.otherHead();
      return Math.hypot(x - before.x, z - before.z) > 0.5;
    });
    await ada.page.keyboard.up("w");
  });

  test("chat messages reach both people", async () => {
    await ada.say("Hello Bo");
    await bo.hears("Hello Bo");
    await bo.say("Hello Ada");
    await ada.hears("Hello Ada");
  });

  test("a Python script and an unmodified ARENA program add objects that both see", async () => {
    hello = new Child(["python", join(ROOT, "examples/hello.py")], {}, work);
    arena = await startArena();
    await arena.prints(/arena: added/);
    await Promise.all([ada, bo].flatMap((page) => [page.has("hello-box"), page.has("arena_box")]));
  });

  test("clicks reach both scripts, and both people see the box of arena-py turn green", async () => {
    await ada.close();
    const before = await bo.colorOf("hello-box");
    await ada.click("hello-box", async () => (await bo.colorOf("hello-box")) !== before);
    await ada.click("arena_box", async () => arena.output.includes("arena: clicked"));
    await eventually("both see the box of arena-py in green", async () =>
      (await Promise.all([ada, bo].map((page) => page.colorOf("arena_box")))).every((color) => color === "00ff00"),
    );
  });

  test("Bo sees the objects that Ada adds, moves and deletes in the sandbox", async () => {
    await Promise.all([ada.go("public/sandbox"), bo.go("public/sandbox")]);
    await Promise.all([ada.sees("Bo"), bo.sees("Ada")]);
    await ada.open("edit");
    await ada.page.locator("stoa-edit").getByRole("button", { name: texts.edit.pieces.sphere, exact: true }).click();
    const built = (await ada.page.locator("stoa-edit .id strong").textContent()) ?? "";
    await bo.has(built);
    const before = await bo.placeOf(built);
    await ada.page
      .locator("stoa-edit")
      .getByRole("button", { name: texts.edit.details.nudges.up, exact: true })
      .click();
    await eventually("Bo sees it moved up", async () => (await bo.placeOf(built)).y > before.y + 0.05);
    await ada.page.locator("stoa-edit").getByRole("button", { name: texts.edit.tools.delete, exact: true }).click();
    await bo.lacks(built);
    await ada.page.locator("stoa-edit").getByRole("button", { name: texts.edit.pieces.box, exact: true }).click();
    kept = (await ada.page.locator("stoa-edit .id strong").textContent()) ?? "";
    await bo.has(kept);
  });

  test("after a power loss the objects are back, and pages and scripts reconnect by themselves", async () => {
    const said = arena.output.length;
    await bo.go("public/lobby");
    await realm.killAndRestart();
    await Promise.all([ada.live(), bo.live()]);
    await ada.has(kept);
    await bo.has("arena_box");
    await bo.has("hello-box");
    const before = await bo.colorOf("hello-box");
    await bo.click("hello-box", async () => (await bo.colorOf("hello-box")) !== before);
    await eventually(
      "arena-py has reconnected and is clicked",
      async () => {
        await bo.click("arena_box", async () => arena.output.slice(said).includes("arena: clicked"));
        return true;
      },
      ARENA_BACK_MS,
    );
    const late = await ScenePage.enter(browser, "public/sandbox", "Cy");
    await late.has(kept);
    await late.sees("Ada");
  }, 180_000);

  test("no page met an error", () => {
    expect([...ada.errors, ...bo.errors]).toEqual([]);
  });
});

/** The object in the sandbox that must survive the power loss. */
let kept: string;
