/**
 * Measures the script time of a page's render frames: enters a scene of a running realm with the distribution's
 * Chromium and waits for all objects and people. Prints one JSON object. `stoa-lab page` starts it, with the scene and
 * the people.
 *
 *     node frames.mjs --url http://localhost:8080 --scene public/lobby --objects 1000 --people 50 --seconds 20 \
 *         [--picture FILE.png]
 *
 * Script is all JavaScript on the page's main thread between two render frames, as the browser traces it: callbacks of
 * frames, timers, events and the network, their microtasks and their garbage collection, including three.js and
 * A-Frame. Draw calls are disabled during the measurement: there is no GPU, and software rendering would leave about
 * six frames a second.
 */
import { parseArgs } from "node:util";
import { enter, print, summary, WAIT_MS } from "./browser.mjs";
import { MOTION_PROBES, takeMotion } from "./motion-probe.mjs";
import { CATEGORIES, scriptOfFrames } from "./trace.mjs";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8080" },
    scene: { type: "string", default: "public/lobby" },
    objects: { type: "string", default: "0" },
    people: { type: "string", default: "0" },
    seconds: { type: "string", default: "20" },
    picture: { type: "string" },
  },
});

/**
 * New people are first turned into entities or places in the crowd. That cost belongs to entering, so it is left out.
 */
const SETTLE_MS = 5_000;

/** Runs in the page before its scripts: can disable draw calls, and counts objects and people. */
function probe() {
  const calls = ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced", "drawRangeElements"];
  const { prototype } = WebGL2RenderingContext;
  const counted = { draws: true, calls: 0 };
  globalThis.frameProbe = counted;
  for (const name of calls) {
    const draw = prototype[name];
    prototype[name] = function (...given) {
      counted.calls += 1;
      if (counted.draws) draw.apply(this, given);
    };
  }
  // Multi-draw calls are methods of an extension, not of the context.
  const { getExtension } = prototype;
  prototype.getExtension = function (name) {
    const extension = getExtension.call(this, name);
    if (name !== "WEBGL_multi_draw" || extension === null) return extension;
    for (const call of ["multiDrawArraysWEBGL", "multiDrawElementsWEBGL"]) {
      const draw = extension[call];
      if (Object.hasOwn(extension, call)) continue;
      extension[call] = (...given) => {
        counted.calls += 1;
        if (counted.draws) draw.apply(extension, given);
      };
    }
    return extension;
  };
  globalThis.objectsShown = () =>
    [...globalThis.AFRAME.scenes[0].querySelectorAll("[data-object-id]")].filter((el) => el.hasLoaded).length;
}

/** Runs in the page: sets a mark at each render frame, at which the trace is split. */
function markFrames() {
  const next = () => {
    performance.mark("stoa-frame");
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

async function measure(browser) {
  const { page, errors } = await enter(browser, {
    ...values,
    ...MOTION_PROBES,
    probes: [...MOTION_PROBES.probes, probe],
  });
  const [objects, people] = [Number(values.objects), Number(values.people)];
  const isThere = ([some, many]) => globalThis.objectsShown() >= some && globalThis.peopleDrawn() >= many;
  await page.waitForFunction(isThere, [objects, people], { timeout: WAIT_MS });
  await page.evaluate(() => {
    globalThis.frameProbe.draws = false;
  });
  await page.evaluate(markFrames);
  await page.waitForTimeout(SETTLE_MS);
  await page.evaluate(() => {
    globalThis.frameProbe.calls = 0;
  });
  await takeMotion(page);
  await browser.startTracing(page, { categories: CATEGORIES });
  await page.waitForTimeout(1_000 * Number(values.seconds));
  const trace = JSON.parse(await browser.stopTracing());
  const { datagrams } = await takeMotion(page);
  const there = await page.evaluate(() => ({
    calls: globalThis.frameProbe.calls,
    objects: globalThis.objectsShown(),
    people: globalThis.peopleDrawn(),
  }));
  const { frames, kinds } = scriptOfFrames(trace.traceEvents, "stoa-frame");
  await page.evaluate(() => {
    globalThis.frameProbe.draws = true;
  });
  if (values.picture !== undefined) await page.screenshot({ path: values.picture });
  return {
    script_ms: summary(frames),
    mean_ms: frames.reduce((sum, ms) => sum + ms, 0) / Math.max(1, frames.length),
    kinds,
    frames_per_s: frames.length / Number(values.seconds),
    draw_calls_per_frame: there.calls / Math.max(1, frames.length),
    datagrams_per_s: datagrams / Number(values.seconds),
    objects: there.objects,
    people: there.people,
    errors,
  };
}

await print({}, measure);
