/**
 * Measures a first visit by phone: slow processor, slow network, empty cache. Prints one JSON object. Started by
 * `stoa-lab page`.
 *
 *     node visit.mjs --url http://localhost:8080 --scene public/lobby [--cpu 4] [--mbit 10] [--latency-ms 50] \
 *         [--objects N] [--picture FILE.png]
 *
 * Times start when the address is opened. They end when the name field shows typed text, and at the first render frame
 * after one tap on the button beside it. Script is the compressed size of all scripts that the page loaded until the
 * scene was complete and the panels of people and chat had been opened. A-Frame and three.js, which are files of their
 * own, are reported separately.
 */
import { parseArgs } from "node:util";
import { compressedSizes, guestForm, print, WAIT_MS } from "./browser.mjs";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8080" },
    scene: { type: "string", default: "public/lobby" },
    cpu: { type: "string", default: "4" },
    mbit: { type: "string", default: "10" },
    "latency-ms": { type: "string", default: "50" },
    objects: { type: "string", default: "0" },
    picture: { type: "string" },
  },
});

const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
/** The build's chunks with A-Frame and three.js. */
const LIBRARY = /\/(?:aframe|three)[.-][^/]*\.js$/;

/** Runs in the page before its scripts: records the first frame. */
function probe() {
  const probed = { drawnAt: undefined };
  globalThis.visitProbe = probed;
  performance.setResourceTimingBufferSize(10_000);
  const { drawElements } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.drawElements = function (...given) {
    probed.drawnAt ??= performance.now();
    drawElements.apply(this, given);
  };
}

async function slowDown(session) {
  await session.send("Network.enable");
  await session.send("Emulation.setCPUThrottlingRate", { rate: Number(values.cpu) });
  const throughput = (Number(values.mbit) * 1_000_000) / 8;
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: Number(values["latency-ms"]),
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
}

/** The compressed size of each script that the page loaded. */
async function scripts(page) {
  const taken = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  return await compressedSizes(taken.filter((url) => new URL(url).pathname.endsWith(".js")));
}

async function measure(browser) {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  await page.addInitScript(probe);
  const session = await context.newCDPSession(page);
  await slowDown(session);
  await page.goto(`${values.url}/${values.scene}`, { waitUntil: "commit" });
  const { name: field, button } = guestForm(page);
  await field.press("A", { timeout: WAIT_MS });
  const interactiveMs = await field.evaluate((input) => (input.value === "A" ? performance.now() : undefined));
  await button.tap();
  await page.waitForFunction(() => globalThis.visitProbe.drawnAt !== undefined, undefined, { timeout: WAIT_MS });
  const enteredMs = await page.evaluate(() => globalThis.visitProbe.drawnAt);
  const whole = (objects) =>
    [...globalThis.AFRAME.scenes[0].querySelectorAll("[data-object-id]")].filter((el) => el.hasLoaded).length >=
    objects;
  await page.waitForFunction(whole, Number(values.objects), { timeout: WAIT_MS });
  for (const panel of ["people", "chat"])
    await page.locator(`[data-panel=${panel}]`).first().click({ timeout: WAIT_MS });
  await page.waitForLoadState("networkidle");
  if (values.picture !== undefined) await page.screenshot({ path: values.picture });
  const bytes = await scripts(page);
  const sum = (some) => some.reduce((total, { kib }) => total + kib, 0);
  return {
    interactive_s: interactiveMs === undefined ? null : interactiveMs / 1_000,
    entered_s: enteredMs / 1_000,
    script_kib: sum(bytes.filter(({ file }) => !LIBRARY.test(file))),
    library_kib: sum(bytes.filter(({ file }) => LIBRARY.test(file))),
    scripts: bytes,
    errors,
  };
}

await print({}, measure);
