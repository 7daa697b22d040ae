/**
 * Measures how long a returning visitor takes to be in a scene: from opening its address until the first render frame,
 * and until every object was loaded and drawn. Prints one JSON object with each run. Started by `stoa-lab page`.
 *
 *     node entering.mjs --url http://localhost:8080 --scene public/lobby --objects 1000 --runs 5
 */
import { parseArgs } from "node:util";
import { enter, print, quantile, WAIT_MS } from "./browser.mjs";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8080" },
    scene: { type: "string", default: "public/lobby" },
    objects: { type: "string", default: "1000" },
    runs: { type: "string", default: "5" },
  },
});

/** Runs in the page before its scripts: records the first frame and the first complete frame. */
function probe(objects) {
  const probed = { drawnAt: undefined, completeAt: undefined };
  globalThis.enteringProbe = probed;
  const { drawElements } = WebGL2RenderingContext.prototype;
  WebGL2RenderingContext.prototype.drawElements = function (...given) {
    probed.drawnAt ??= performance.now();
    drawElements.apply(this, given);
  };
  const look = () => {
    const all = globalThis.AFRAME?.scenes[0]?.querySelectorAll("[data-object-id]") ?? [];
    // The objects were drawn two frames later.
    if (all.length >= objects && [...all].every((el) => el.hasLoaded))
      requestAnimationFrame(() => requestAnimationFrame(() => (probed.completeAt = performance.now())));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function measure(browser) {
  const { page, errors } = await enter(browser, { ...values, probes: [probe], given: Number(values.objects) });
  const done = () => globalThis.enteringProbe.completeAt !== undefined;
  await page.waitForFunction(done, undefined, { timeout: WAIT_MS });
  const runs = [];
  for (let run = 0; run < Number(values.runs); run += 1) {
    await page.reload({ waitUntil: "commit" });
    await page.waitForFunction(() => globalThis.enteringProbe?.completeAt !== undefined, undefined, {
      timeout: WAIT_MS,
    });
    runs.push(await page.evaluate(() => globalThis.enteringProbe));
  }
  const median = (key) =>
    quantile(
      runs.map((run) => run[key] / 1_000),
      0.5,
    );
  return { first_frame_s: median("drawnAt"), complete_s: median("completeAt"), runs, errors };
}

await print({}, measure);
