/** Shared by the lab's pages: Debian's Chromium, the way into a scene, and statistics. */
import { chromium } from "playwright-core";
import { probeMotionWorker } from "./motion-worker.mjs";

export { quantile, summary } from "./statistics.mjs";

const ALWAYS = ["--no-sandbox", "--disable-renderer-backgrounding", "--disable-background-timer-throttling"];
const SOFTWARE = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];
const HARDWARE = ["--enable-gpu", "--ignore-gpu-blocklist"];
/** Timeout of every step; a slower one counts as failed. */
export const WAIT_MS = 120_000;

/** Launches a browser with software rendering, or with the GPU on request. */
export function launch({ gpu = false } = {}) {
  const args = [...ALWAYS, ...(gpu ? HARDWARE : SOFTWARE)];
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
}

/** The name form of a guest. It is selected by its elements, not by texts, since a lab run may serve older pages. */
export function guestForm(page) {
  const form = page.locator("stoa-enter form").filter({ has: page.locator("[name=name]") });
  return { name: form.locator("[name=name]"), button: form.getByRole("button") };
}

/**
 * Opens a page and enters a scene as a guest. `probes` run in it before its scripts, and `workerProbes` in its motion
 * worker, with `given`.
 */
export async function enter(browser, { url, scene, name = "Observer", probes = [], workerProbes = [], given }) {
  const context = await browser.newContext({ viewport: { width: 640, height: 400 }, ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  for (const probe of probes) await page.addInitScript(probe, given);
  if (workerProbes.length > 0) await probeMotionWorker(page, workerProbes, given);
  await page.goto(`${url}/${scene}`);
  const form = guestForm(page);
  await form.name.fill(name);
  await form.button.click();
  await page.waitForFunction(() => globalThis.AFRAME?.scenes[0]?.camera !== undefined, undefined, { timeout: WAIT_MS });
  return { page, errors };
}

/** The size of each file by address in KiB, compressed as the realm sends it, even if a cache served it. */
export async function compressedSizes(urls) {
  const sizes = [...new Set(urls)].map(async (url) => {
    const answer = await fetch(url, { headers: { "accept-encoding": "br, gzip" } });
    const length = answer.headers.get("content-length");
    await answer.body?.cancel();
    if (!answer.ok || length === null) throw new Error(`${url} answered ${answer.status}, content length ${length}`);
    return { file: new URL(url).pathname, kib: Number(length) / 1_024 };
  });
  return await Promise.all(sizes);
}

/** Runs a measurement in its own browser and prints the result as one JSON object. */
export async function print(options, measure) {
  const browser = await launch(options);
  try {
    process.stdout.write(`${JSON.stringify({ ...(await measure(browser)), browser: browser.version() })}\n`);
  } finally {
    await browser.close();
  }
}
