// The realm is updated while people are in it. Their pages reconnect and announce the new version; a page at the name
// form loads it at once.
import { rm } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, openPage } from "./browser.ts";
import { copyOfPages, renew } from "./new-build.ts";
import { HTTP, TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { texts } from "./texts.ts";

let realm: TestRealm;
let browser: Browser;
let pages: string;

beforeAll(async () => {
  pages = await copyOfPages();
  [realm, browser] = await Promise.all([TestRealm.start(["--web", pages]), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await realm?.end();
  await rm(pages, { recursive: true, force: true });
});

test("an open page announces a new version after a server update, and loads it on request", async () => {
  const ada = await ScenePage.enter(browser, "public/sandbox", "Ada");
  const waiting = await openPage(browser);
  await waiting.page.goto(`${HTTP}/public/sandbox`);
  await waiting.page.getByRole("button", { name: texts.enter.asGuest }).waitFor();
  const news = ada.page.getByRole("status").getByText(texts.renewed.said);

  const isFirstPage = (url: string) => new URL(url).pathname === "/";
  const asked = ada.page.waitForResponse((answer) => isFirstPage(answer.url()) && answer.ok(), { timeout: 60_000 });
  await realm.stop();
  await realm.resume();
  await (await asked).finished();
  await ada.page.locator("stoa-status .bar").waitFor({ state: "detached", timeout: 60_000 });
  // A page draws the effects of the answer by the second following frame.
  await ada.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  expect(await news.count(), "a restart alone is no update").toBe(0);

  await realm.stop();
  await renew(pages);
  await realm.resume();
  await ada.page.getByRole("button", { name: texts.renewed.load }).waitFor({ timeout: 60_000 });

  // Her page works, except for chunks that would have to be loaded.
  await ada.say("still here");
  await ada.hears("still here");
  await ada.page.getByRole("button", { name: texts.renewed.later }).click();
  await news.waitFor({ state: "detached" });
  await ada.page
    .getByRole("toolbar", { name: texts.overlay.toolbar })
    .getByRole("button", { name: texts.overlay.panels.edit })
    .click();
  await news.waitFor();
  await ada.page.getByRole("button", { name: texts.renewed.load }).click();
  await news.waitFor({ state: "detached" });
  await ada.live();
  await ada.open("edit");
  await ada.page.locator("stoa-edit").getByRole("button", { name: texts.edit.pieces.sphere, exact: true }).waitFor();

  // A page at the name form reloads without a notice.
  await waiting.page.getByLabel(texts.shared.nameOthersSee).fill("Bo");
  await waiting.page.getByRole("button", { name: texts.enter.asGuest }).click();
  const bo = await ScenePage.resume(waiting);
  await bo.sees("Ada");
  expect(await bo.page.getByText(texts.renewed.said).count()).toBe(0);
}, 240_000);
