// The realm serves everything, also without internet, and the pages open while the realm is offline.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, openPage } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { HTTP, TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { linkInto, texts } from "./texts.ts";

let realm: TestRealm;
let browser: Browser;
let page: Page;
let errors: string[];
const asked = new Set<string>();

beforeAll(async () => {
  [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
  ({ page, errors } = await openPage(browser, { viewport: { width: 1280, height: 800 } }));
  page.context().on("request", (request) => void asked.add(request.url()));
});

afterAll(async () => {
  await browser?.close();
  await realm?.end();
});

/** Requested hosts, except for addresses that the page created itself. */
function hosts(): string[] {
  const urls = [...asked].map((url) => new URL(url)).filter(({ protocol }) => /^(https?|wss?):$/.test(protocol));
  return [...new Set(urls.map(({ hostname }) => hostname))];
}

test("a whole visit sends no request to another host", async () => {
  await page.goto(HTTP);
  await page.getByRole("link", { name: linkInto("public/lobby") }).waitFor();
  const ada = await ScenePage.enterOn({ page, errors }, "public/lobby", "Ada");
  for (const tool of await page.locator('[role="toolbar"] [data-panel]').all()) {
    await tool.click();
    await page.locator("#panel").waitFor();
  }
  await ada.settled();
  expect(asked.size, "the probe hears of requests").toBeGreaterThan(10);
  expect(hosts()).toEqual(["localhost"]);
  expect(errors).toEqual([]);
});

test("the pages have a web app manifest whose icons load", async () => {
  const manifest = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=manifest]");
    const answer = await fetch(link?.href ?? "");
    return { type: answer.headers.get("content-type"), body: await answer.json() };
  });
  expect(manifest.type).toBe("application/manifest+json");
  const icons: unknown = manifest.body.icons;
  if (!Array.isArray(icons)) throw new Error("the manifest has no icons");
  for (const { src } of icons) expect((await page.request.get(`${HTTP}${src}`)).status(), src).toBe(200);
});

test("the service worker caches only the pages of one build", async () => {
  await page.evaluate(() => navigator.serviceWorker.ready);
  // A page that was loading when the worker took over is served by it from the next load on.
  await page.reload();
  await eventually("the service worker serves this page", () =>
    page.evaluate(() => navigator.serviceWorker.controller !== null),
  );
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const opened = await Promise.all(names.map((name) => caches.open(name)));
    const requests = await Promise.all(opened.map((cache) => cache.keys()));
    return { names, paths: requests.flat().map(({ url }) => new URL(url).pathname) };
  });
  expect(kept.names).toHaveLength(1);
  expect(kept.paths).toContain("/");
  const strange = kept.paths.filter(
    (path) => !/^\/(assets\/.+|favicon\.svg|icon-192\.png|manifest\.webmanifest)?$/.test(path),
  );
  expect(strange).toEqual([]);
});

test("the list of scenes opens while the server is stopped, and says that it is unreachable", async () => {
  await realm.stop();
  await page.goto(HTTP);
  await page
    .getByRole("alert")
    .filter({ hasText: texts.home.notListed(texts.reasons.away) })
    .waitFor();
  await realm.resume();
  await page.reload();
  await page.getByRole("link", { name: linkInto("public/lobby") }).waitFor();
});
