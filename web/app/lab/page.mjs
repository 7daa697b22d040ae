/**
 * What a page spends on many moving people: enters a scene of a running realm with the distribution's Chromium, waits until everybody is drawn, and
 * measures. Prints one JSON object. Started by `stoa-lab page`, which sees to the people.
 *
 *     node page.mjs --url http://localhost:8080 --scene public/sandbox --people 500 --seconds 20 [--picture FILE.png] [--draw]
 *
 * Script per render frame: what runs between a datagram's delivery and the page's asking for the next one (decoding, and where everybody is), and
 * what the avatars cost in the frame: this project's A-Frame components (poses, matrices), and the update of the scene's matrices that three.js begins
 * each drawing with. Drawing itself is not in it, and is left out while it is measured unless `--draw` is given: a processor draws this crowd some six
 * times a second, and each frame would then hold what comes in a sixth of one.
 */
import { parseArgs } from "node:util";
import { enter, print, summary, WAIT_MS } from "./browser.mjs";
import { probeMotion } from "./motion-probe.mjs";

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

/** Runs in the page once the scene is there: takes the times of this project's components and of the scene's matrices, frame by frame. */
function watchFrames(draws) {
  const times = globalThis.motionProbe;
  const { renderer } = globalThis.AFRAME.scenes[0];
  const { render } = renderer;
  times.draw = (isDrawn) => {
    // As three.js does it: a drawing that follows finds all up to date.
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
  const { page, errors } = await enter(browser, { ...values, probes: [probeMotion] });
  const people = Number(values.people);
  await page.waitForFunction((wanted) => globalThis.peopleDrawn() >= wanted, people, { timeout: WAIT_MS });
  await page.evaluate(watchFrames, values.draw);
  // Whoever has just come in is made an entity or a place in the crowd: that is entering, not moving.
  await page.waitForTimeout(3_000);
  const began = await page.evaluate(() => {
    globalThis.motionProbe.frames.length = 0;
    globalThis.motionProbe.datagrams = 0;
    return performance.now();
  });
  await page.waitForTimeout(1_000 * Number(values.seconds));
  const { frames, datagrams, ways, ended } = await page.evaluate(() => ({
    ...globalThis.motionProbe,
    ended: performance.now(),
  }));
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
    people: shown,
    frames_per_s: frames.length / seconds,
    datagrams_per_s: datagrams / seconds,
    way: ways.at(-1) ?? null,
    errors,
  };
}

await print({}, measure);
