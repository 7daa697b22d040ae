/** What the pages of the lab share: Debian's Chromium, the way into a scene, and what many numbers say together. */
import { chromium } from "playwright-core";

const ALWAYS = ["--no-sandbox", "--disable-renderer-backgrounding", "--disable-background-timer-throttling"];
const SOFTWARE = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];
const HARDWARE = ["--enable-gpu", "--ignore-gpu-blocklist"];
/** Whatever a page does takes less, or has failed. */
export const WAIT_MS = 120_000;

/** A browser that draws with the processor, or with the graphics card where that is asked for. */
export function launch({ gpu = false } = {}) {
  const args = [...ALWAYS, ...(gpu ? HARDWARE : SOFTWARE)];
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
}

/** The name field and button of a guest. No text selects them, since a lab run may serve older pages. */
export function guestForm(page) {
  const form = page.locator("stoa-enter form").filter({ has: page.locator("[name=name]") });
  return { name: form.locator("[name=name]"), button: form.getByRole("button") };
}

/** A page in a scene, as a guest; `probes` run in it before anything else, with `given`. */
export async function enter(browser, { url, scene, name = "Observer", probes = [], given }) {
  const context = await browser.newContext({ viewport: { width: 640, height: 400 }, ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  for (const probe of probes) await page.addInitScript(probe, given);
  await page.goto(`${url}/${scene}`);
  const form = guestForm(page);
  await form.name.fill(name);
  await form.button.click();
  await page.waitForFunction(() => globalThis.AFRAME?.scenes[0]?.camera !== undefined, undefined, { timeout: WAIT_MS });
  return { page, errors };
}

/** Runs a measurement in a browser of its own, and prints what it found as one JSON object. */
export async function print(options, measure) {
  const browser = await launch(options);
  try {
    process.stdout.write(`${JSON.stringify({ ...(await measure(browser)), browser: browser.version() })}\n`);
  } finally {
    await browser.close();
  }
}

/** The value below which that part of them lies; 0 of none. */
export function quantile(values, part) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

export function summary(values) {
  const [p50, p95, p99, max] = [0.5, 0.95, 0.99, 1].map((part) => quantile(values, part));
  return { p50, p95, p99, max, count: values.length };
}
