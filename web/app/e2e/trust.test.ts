// On a LAN another device needs the realm's address, also as a QR code, and its certificate.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, openPage } from "./browser.ts";
import { HTTP, TestRealm } from "./realm.ts";
import { texts } from "./texts.ts";

const HTTPS = "https://127.0.0.1";

let realm: TestRealm;
let browser: Browser;

beforeAll(async () => {
  [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await realm?.end();
});

test("the trust page downloads the server's CA certificate and shows a fingerprint", async () => {
  const { page, errors } = await openPage(browser, { ignoreHTTPSErrors: true });
  await page.goto(`${HTTPS}/trust`);
  await page.getByRole("heading", { name: texts.trust.title }).waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: texts.trust.download }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("stoa-ca.crt");
  expect(await readFile(await file.path(), "utf8")).toBe(await readFile(join(realm.folder, "tls/ca.pem"), "utf8"));
  await page.getByText(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/).waitFor();
  expect(errors).toEqual([]);
  await page.context().close();
});

test("the trust page says that the server's own machine needs no certificate", async () => {
  const { page } = await openPage(browser);
  await page.goto(`${HTTP}/trust`);
  await page.getByText(texts.trust.states.own).waitFor();
  await page.context().close();
});

test("the server draws an address as a QR code image that a browser can decode", async () => {
  const { page } = await openPage(browser);
  await page.goto(HTTP);
  const size = await page.evaluate(async () => {
    const picture = new Image();
    picture.src = `/api/v1/qr.svg?text=${encodeURIComponent("https://192.0.2.7:8443/public/lobby")}`;
    await picture.decode();
    return picture.naturalWidth;
  });
  expect(size).toBeGreaterThan(0);
  await page.context().close();
});
