/**
 * Measures the frame rate of a page for a scene with a given number of triangles, and the script time of each frame.
 * Prints one JSON object. `stoa-lab arena-triangles` starts it and adds the objects to the scene.
 *
 *     node triangles.mjs --url http://localhost:8080 --scene public/sandbox --objects 20 --seconds 10 [--gpu] \
 *         [--picture FILE.png]
 *
 * Script per render frame is all time in callbacks of a render frame (`script_ms`). Parts of it are three.js issuing
 * draw calls (`render_ms`) and this project's A-Frame components (`stoa_ms`). The drawing itself runs on the GPU or,
 * without one, on other threads of the browser.
 */
import { parseArgs } from "node:util";
import { enter, print, summary, WAIT_MS } from "./browser.mjs";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8080" },
    scene: { type: "string", default: "public/sandbox" },
    objects: { type: "string", default: "20" },
    seconds: { type: "string", default: "10" },
    gpu: { type: "boolean", default: false },
    picture: { type: "string" },
  },
});

/** Time before the measurement, in which shaders are compiled and buffers filled. */
const SETTLE_MS = 2_000;

/** Runs in the page before its scripts: times the callbacks of each render frame. */
function probe() {
  const times = { scriptMs: 0, renderMs: 0, stoaMs: 0, triangles: 0, calls: 0, frames: [] };
  globalThis.frameProbe = times;
  const request = globalThis.requestAnimationFrame.bind(globalThis);
  globalThis.requestAnimationFrame = (callback) =>
    request((at) => {
      const began = performance.now();
      callback(at);
      times.scriptMs += performance.now() - began;
    });
  const next = (at) => {
    const { scriptMs, renderMs, stoaMs, triangles, calls } = times;
    times.frames.push({ at, scriptMs, renderMs, stoaMs, triangles, calls });
    [times.scriptMs, times.renderMs, times.stoaMs] = [0, 0, 0];
    request(next);
  };
  request(next);
}

/** Runs in the page once the scene is loaded. */
function watch() {
  const times = globalThis.frameProbe;
  const { renderer } = globalThis.AFRAME.scenes[0];
  const { render } = renderer;
  renderer.render = (...given) => {
    const began = performance.now();
    render.apply(renderer, given);
    times.renderMs += performance.now() - began;
    [times.triangles, times.calls] = [renderer.info.render.triangles, renderer.info.render.calls];
  };
  for (const [name, { Component }] of Object.entries(globalThis.AFRAME.components)) {
    const { tick } = Component.prototype;
    if (!name.startsWith("stoa-") || tick === undefined) continue;
    Component.prototype.tick = function (...given) {
      const began = performance.now();
      tick.apply(this, given);
      times.stoaMs += performance.now() - began;
    };
  }
}

/** The renderer: a GPU or a software renderer. */
function drawnBy() {
  const gl = globalThis.AFRAME.scenes[0].renderer.getContext();
  const extension = gl.getExtension("WEBGL_debug_renderer_info");
  return String(gl.getParameter(extension === null ? gl.RENDERER : extension.UNMASKED_RENDERER_WEBGL));
}

/** Runs in the page: whether the wanted number of the lab's objects is loaded with geometry. */
function hasAll(wanted) {
  const found = [...document.querySelectorAll('[data-object-id^="arena-triangles-"]')];
  return found.filter((el) => el.object3D?.getObjectByProperty("isMesh", true) !== undefined).length >= wanted;
}

async function measure(browser) {
  const { page, errors } = await enter(browser, { ...values, probes: [probe] });
  await page.waitForFunction(hasAll, Number(values.objects), { timeout: WAIT_MS });
  await page.evaluate(watch);
  await page.waitForTimeout(SETTLE_MS);
  const began = await page.evaluate(() => {
    globalThis.frameProbe.frames.length = 0;
    return performance.now();
  });
  await page.waitForTimeout(1_000 * Number(values.seconds));
  const { frames, ended } = await page.evaluate(() => ({
    frames: globalThis.frameProbe.frames,
    ended: performance.now(),
  }));
  const renderer = await page.evaluate(drawnBy);
  if (values.picture !== undefined) await page.screenshot({ path: values.picture });
  return {
    frames_per_s: (1_000 * frames.length) / (ended - began),
    triangles: frames.at(-1)?.triangles ?? 0,
    calls: frames.at(-1)?.calls ?? 0,
    script_ms: summary(frames.map(({ scriptMs }) => scriptMs)),
    render_ms: summary(frames.map(({ renderMs }) => renderMs)),
    stoa_ms: summary(frames.map(({ stoaMs }) => stoaMs)),
    renderer,
    errors,
  };
}

await print(values, measure);
