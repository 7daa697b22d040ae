// ARENA's unmodified web client, built from its sources, beside a program of arena-py. Run by hand: ARENA_WEB_CORE is
// the folder of a build, see interop/README.md.
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ArenaPage } from "./arena-page.ts";
import { launch } from "./browser.ts";
import { Child } from "./children.ts";
import { eventually } from "./eventually.ts";
import { TestRealm } from "./realm.ts";

const BUILD = process.env.ARENA_WEB_CORE;
const PROGRAM = resolve(import.meta.dirname, "../../../interop/arena_box.py");
const SCENE = "public/lobby";
const PASSWORD = "correct horse battery staple";

let realm: TestRealm;
let browser: Browser;
let program: Child;
let home: string;
let ada: ArenaPage;
let bo: ArenaPage;

async function refusals(): Promise<string[]> {
  const metrics = await (await fetch("http://127.0.0.1:8445/metrics")).text();
  const isCounted = (line: string) => line.startsWith("stoa_refused_total{") && Number(line.split(" ").at(-1)) > 0;
  return metrics.split("\n").filter(isCounted);
}

async function startProgram(): Promise<Child> {
  const token = await realm.token("alice", SCENE);
  const environment = { HOME: home, ARENA_USERNAME: "alice", ARENA_PASSWORD: token, PYTHONPATH: "" };
  return new Child([process.env.ARENA_PYTHON ?? "python3", PROGRAM], environment, home);
}

describe("ARENA's web client", () => {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "stoa-arena-"));
    [realm, browser] = await Promise.all([TestRealm.start(["--web", String(BUILD)]), launch()]);
    const line = ["user", "add", "bo", "--data", realm.folder];
    execFileSync(String(process.env.STOA_BIN), line, { input: `${PASSWORD}\n` });
    program = await startProgram();
    await program.prints(/arena: added/);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), program?.end("SIGKILL")]);
    await realm?.end();
    if (home !== undefined) await rm(home, { recursive: true, force: true });
  });

  test("a member signs in and sees the box of an arena-py program", async () => {
    bo = await ArenaPage.open(browser);
    await bo.enterAsMember(SCENE, "bo", PASSWORD);
    await bo.has("arena_box");
    await eventually("the box is drawn", async () => (await bo.colorOf("arena_box")) !== undefined);
  });

  test("no message on the page's three connections is refused", async () => {
    const metrics = await (await fetch("http://127.0.0.1:8445/metrics")).text();
    expect(metrics).toMatch(/^stoa_net_connections [4-9]$/m); // three of the page, one of the program
    expect(await refusals()).toEqual([]);
  });

  test("a guest enters, and the two see each other", async () => {
    ada = await ArenaPage.open(browser);
    await ada.enterAsGuest(SCENE, "Ada");
    await Promise.all([ada.has(await bo.id()), bo.has(await ada.id())]);
  });

  test("the member sees the guest's head turn", async () => {
    const id = await ada.id();
    const before = await bo.turnOf(id);
    await ada.lookAside();
    await eventually("Ada has turned on Bo's page", async () => Math.abs((await bo.turnOf(id)) - before) > 0.05);
  });

  test("a click reaches the program, and both people see the box turn green", async () => {
    await bo.click("arena_box", async () => program.output.includes("arena: clicked"));
    await eventually("both see the box in green", async () =>
      (await Promise.all([ada, bo].map((page) => page.colorOf("arena_box")))).every((color) => color === "00ff00"),
    );
    const folder = process.env.STOA_SCREENSHOTS;
    if (folder !== undefined) await bo.page.screenshot({ path: join(folder, "arena-web-core.png") });
  });

  test("a chat message reaches the other person", async () => {
    await ada.say("hello from Ada");
    await bo.hears("hello from Ada");
  });

  test("a person who closes the page disappears from the other page", async () => {
    const id = await ada.id();
    await ada.page.context().close();
    await bo.lacks(id);
  });

  test("the guest's only refusals are for topics that aren't granted, and no page has an error", async () => {
    expect((await refusals()).map((line) => line.replace(/ \d+$/, ""))).toEqual([
      'stoa_refused_total{reason="not_granted"}',
    ]);
    expect([...ada.complaints, ...bo.complaints]).toEqual([]);
  });
});
