/**
 * Measures a page's costs for many moving people: enters a scene of a running realm with the distribution's Chromium
 * and waits until all people are drawn. Prints one JSON object. `stoa-lab page` starts it and the people.
 *
 *     node page.mjs --url http://localhost:8080 --scene public/sandbox --people 500 --seconds 20 [--picture FILE.png] \
 *         [--draw]
 *
 * Script per render frame has two parts. The first is the handling of the motion worker's messages: updating positions.
 * (In older pages, without a worker, it is the time from a datagram's delivery to the page's next read.) The second is the avatars' cost in the frame: this project's A-Frame components
 * (poses, matrices), and the update of the scene's matrices with which three.js begins each drawing. Drawing itself is
 * left out and disabled unless `--draw` is given: software rendering reaches about six frames a second with this crowd,
 * and each frame would then hold a sixth of a second of datagrams.
 */
import { parseArgs } from "node:util";
import { enter, print, summary, WAIT_MS } from "./browser.mjs";
import { MOTION_PROBES, takeMotion } from "./motion-probe.mjs";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8080" },
    scene: { type: "string", default: "public/sandbox" },
    people: { type: "string", default: "500" },
    seconds: { type: "string", default: "20" },
    picture: { type: "string" },
    draw: { type: "boolean", default: false },
  },
});

/**
 * Runs in the page once the scene is loaded: times this project's components and the scene's matrices in each frame.
 */
function watchFrames(draws) {
  const times = globalThis.motionProbe;
  const { renderer } = globalThis.AFRAME.scenes[0];
  const { render } = renderer;
  times.draw = (isDrawn) => {
    // Like three.js, so that a later drawing finds all matrices up to date.
    renderer.render = (scene, camera) => {
      const began = performance.now();
      if (scene.matrixWorldAutoUpdate) scene.updateMatrixWorld();
      times.avatarsMs += performance.now() - began;
      if (isDrawn) render.call(renderer, scene, camera);
    };
  };
  times.draw(draws);
  for (const [name, { Component }] of Object.entries(globalThis.AFRAME.components)) {
    const { tick } = Component.prototype;
    if (!name.startsWith("stoa-") || tick === undefined) continue;
    Component.prototype.tick = function (...given) {
      const began = performance.now();
      tick.apply(this, given);
      times.avatarsMs += performance.now() - began;
    };
  }
  const next = (at) => {
    times.frames.push({ at, motionMs: times.motionMs, avatarsMs: times.avatarsMs });
    [times.motionMs, times.avatarsMs] = [0, 0];
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

async function measure(browser) {
  const { page, errors } = await enter(browser, { ...values, ...MOTION_PROBES });
  const people = Number(values.people);
  await page.waitForFunction((wanted) => globalThis.peopleDrawn() >= wanted, people, { timeout: WAIT_MS });
  await page.evaluate(watchFrames, values.draw);
  // New people are first turned into entities or places in the crowd. That cost belongs to entering, not to movement.
  await page.waitForTimeout(3_000);
  const began = await page.evaluate(() => {
    globalThis.motionProbe.frames.length = 0;
    return performance.now();
  });
  const before = await takeMotion(page);
  await page.waitForTimeout(1_000 * Number(values.seconds));
  const { frames, ended } = await page.evaluate(() => ({ ...globalThis.motionProbe, ended: performance.now() }));
  const { datagrams, workerMs, way } = await takeMotion(page);
  const shown = await page.evaluate(() => globalThis.peopleDrawn());
  await page.evaluate(() => globalThis.motionProbe.draw(true));
  if (values.picture !== undefined) await page.screenshot({ path: values.picture });
  const seconds = (ended - began) / 1_000;
  const script = summary(frames.map(({ motionMs, avatarsMs }) => motionMs + avatarsMs));
  return {
    page_motion_script_ms: script.p95,
    script_ms: script,
    motion_ms: summary(frames.map(({ motionMs }) => motionMs)),
    avatars_ms: summary(frames.map(({ avatarsMs }) => avatarsMs)),
    worker_ms_per_s: (workerMs - before.workerMs) / seconds,
    people: shown,
    frames_per_s: frames.length / seconds,
    datagrams_per_s: datagrams / seconds,
    way,
    errors,
  };
}

await print({}, measure);
