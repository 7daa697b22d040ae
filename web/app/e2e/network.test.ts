// Network failures: a client is offline for 20 s and returns without a ghost, whether all connections break or no data
// arrives; and the realm restarts while people are in.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { probeMotionWorker, throughProxy } from "../lab/motion-worker.mjs";
import { launch, openPage } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { HTTP, TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { DATAGRAMS_BY, SeverableProxy, THROUGH_PROXY } from "./severable-proxy.ts";
import { anyOf, guest, texts } from "./texts.ts";

const SCENE = "public/sandbox";
const { kinds } = texts.refused;
/** How long the network is down: the story's own length, not a timeout. */
const AWAY_MS = 20_000;

let realm: TestRealm;
let line: SeverableProxy;
let browser: Browser;
/** All of Ada's connections pass through the proxy. */
let travelling: Browser;
let ada: ScenePage;
let bo: ScenePage;

beforeAll(async () => {
  line = await SeverableProxy.open();
  [realm, browser, travelling] = await Promise.all([TestRealm.start(), launch(), launch([THROUGH_PROXY])]);
});

afterAll(async () => {
  await Promise.all([browser?.close(), travelling?.close()]);
  await line?.close();
  await realm?.end();
});

/** All other people on a page: those in its list and those drawn. */
async function othersOf({ page }: ScenePage): Promise<{ listed: string[]; drawn: string[] }> {
  await page.locator("stoa-people li").first().waitFor();
  return await page.evaluate(() => {
    const list = document.querySelector("stoa-overlay")?.shadowRoot?.querySelector("stoa-people")?.shadowRoot;
    const lines = [...(list?.querySelectorAll("li") ?? [])].slice(1);
    const listed = lines.map(
      (li) => li.querySelector(".who > span")?.firstChild?.nextSibling?.textContent?.trim() ?? "",
    );
    const drawn = [...document.querySelectorAll("[stoa-avatar]")].map((head) => {
      const { name } = (head as unknown as { getAttribute(of: string): { name: string } }).getAttribute("stoa-avatar");
      return name;
    });
    return { listed, drawn };
  });
}

/** Each page has the other person once, in the list and as a body. */
async function eachSeesTheOtherOnce(): Promise<void> {
  for (const [page, other] of [
    [ada, "Bo"],
    [bo, "Ada"],
  ] as const) {
    await page.open("people");
    await eventually(
      `${other} is there, once`,
      async () => {
        const { listed, drawn } = await othersOf(page);
        return listed.join() === other && drawn.join() === guest(other);
      },
      60_000,
    );
  }
}

/** Observes a page while the network is down. A second Ada, or one of another name, is a ghost. */
async function watchFor(ms: number, see: (others: { listed: string[]; drawn: string[] }) => void): Promise<void> {
  const began = Date.now();
  const ghosts: string[] = [];
  await eventually(
    `${ms} ms without a network have passed`,
    async () => {
      const others = await othersOf(bo);
      for (const [how, names] of Object.entries(others))
        if (names.length > 1 || names.some((name) => name !== "Ada" && name !== guest("Ada")))
          ghosts.push(`${how}: ${names}`);
      see(others);
      return Date.now() - began >= ms;
    },
    ms + 10_000,
  );
  // Checked after the loop, since `eventually` would repeat a failed check.
  expect(ghosts).toEqual([]);
}

/** Ada is at her former position, on Bo's page too. */
async function isSeenAt(place: { x: number; z: number }): Promise<void> {
  for (const [where, head] of [
    ["on her own page", () => ada.ownHead()],
    ["on Bo's page", () => bo.otherHead()],
  ] as const)
    await eventually(`Ada is where she was, ${where}`, async () => {
      const { x, z } = await head();
      return Math.hypot(x - place.x, z - place.z) < 0.1;
    });
}

/** Ada walks a little and Bo sees it, by any transport: both planes work again. */
async function walksOn(): Promise<void> {
  await ada.close();
  const before = await bo.otherHead();
  await ada.walkUntil("w", async () => {
    const { x, z } = await bo.otherHead();
    return Math.hypot(x - before.x, z - before.z) > 0.5;
  });
  // She has stopped once Bo sees her at her own position.
  await eventually("Ada stands", async () => {
    const [own, seen] = [await ada.ownHead(), await bo.otherHead()];
    return Math.hypot(own.x - seen.x, own.z - seen.z) < 0.02;
  });
}

describe("losing the network for 20 s", () => {
  test("two people meet and build, one of them through a proxy that can cut the network", async () => {
    const opened = await openPage(travelling);
    await probeMotionWorker(opened.page, [throughProxy], DATAGRAMS_BY);
    ada = await ScenePage.enterOn(opened, SCENE, "Ada");
    bo = await ScenePage.enter(browser, SCENE, "Bo");
    await eachSeesTheOtherOnce();
    await walksOn();
    await ada.open("edit");
    await ada.page.locator("stoa-edit").getByRole("button", { name: texts.edit.pieces.box, exact: true }).click();
    built = (await ada.page.locator("stoa-edit .id strong").textContent()) ?? "";
    await bo.has(built);
    expect(line.connections, "her connections go by the line").toBeGreaterThan(0);
    expect(line.datagrams, "her datagrams go by the line").toBeGreaterThan(10);
  });

  test("a person with a cut network disappears, and returns once at the previous position", async () => {
    const before = await ada.ownHead();
    await bo.open("people");
    line.cut();
    await ada.page.locator("stoa-status .bar", { hasText: texts.status.reconnecting }).waitFor();
    let wasGone = false;
    await watchFor(AWAY_MS, ({ listed, drawn }) => {
      if (listed.length === 0 && drawn.length === 0) wasGone = true;
    });
    expect(wasGone, "Bo saw her go").toBe(true);
    expect(await ada.page.locator("stoa-status .bar").count(), "she is told all the while").toBe(1);
    await bo.say("where are you");
    await bo.open("people");
    line.mend();
    await ada.live();
    await eachSeesTheOtherOnce();
    await isSeenAt(before);
    await ada.has(built);
    await walksOn();
  }, 180_000);

  test("a person with a silent network is warned, and returns once at the previous position", async () => {
    const before = await ada.ownHead();
    await bo.open("people");
    line.silence();
    const told = ada.page.locator("stoa-status .bar", { hasText: texts.status.silent });
    await told.waitFor({ timeout: 10_000 });
    await watchFor(AWAY_MS, () => undefined);
    line.mend();
    await ada.live();
    await eachSeesTheOtherOnce();
    await isSeenAt(before);
    await walksOn();
    await ada.say("back again");
    await bo.hears("back again");
  }, 180_000);
});

describe("a server restart while people are in the scene", () => {
  test("pages announce the restart, reconnect by themselves, and keep objects and chat", async () => {
    await bo.say("said before");
    await ada.hears("said before");
    await realm.stop();
    for (const { page } of [ada, bo])
      await page.locator("stoa-status .bar", { hasText: texts.status.reconnecting }).waitFor();
    const late = await openPage(browser);
    // Her browser cached the pages at an earlier visit, while the realm can't serve them.
    await realm.resume();
    await late.page.goto(`${HTTP}/${SCENE}`);
    await late.page.evaluate(() => navigator.serviceWorker.ready);
    await late.page.getByLabel(texts.shared.nameOthersSee).fill("Cy");
    await realm.stop();
    await late.page.getByRole("button", { name: texts.enter.asGuest }).click();
    await late.page
      .getByRole("heading", { level: 1, name: anyOf([kinds.away.title, kinds.restarting.title]) })
      .waitFor();
    await realm.resume();
    await Promise.all([ada.live(), bo.live()]);
    const cy = await ScenePage.resume(late);
    await cy.sees("Ada");
    await late.page.context().close();
    await eachSeesTheOtherOnce();
    await ada.has(built);
    await bo.has(built);
    await ada.hears("said before");
    await walksOn();
    expect([...ada.errors, ...bo.errors]).toEqual([]);
  }, 180_000);
});

/** The object that Ada built. */
let built: string;
