/**
 * Measures whether an open page grows: its heap after a full garbage collection, once a minute, while people come and
 * go. Prints one JSON object. `stoa-lab page` starts it and the people.
 *
 *     node heap.mjs --url http://localhost:8080 --scene public/lobby --minutes 30
 *
 * Growth is the median of the last fifth minus that of the second fifth: during the first one, caches fill up.
 */
import { parseArgs } from "node:util";
import { enter, print, quantile } from "./browser.mjs";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8080" },
    scene: { type: "string", default: "public/lobby" },
    minutes: { type: "string", default: "30" },
  },
});

/** Interval between two samples. */
const PERIOD_MS = 10_000;

/** Runs in the page: counts arrivals and the most people at one time. */
function watchPeople() {
  const seen = { arrivals: 0, most: 0 };
  globalThis.heapProbe = seen;
  let before = new Set();
  setInterval(() => {
    const scene = globalThis.AFRAME.scenes[0];
    const now = new Set([...scene.querySelectorAll("[data-id-tag]")].map((el) => el.getAttribute("data-id-tag")));
    for (const id of now) if (!before.has(id)) seen.arrivals += 1;
    seen.most = Math.max(seen.most, now.size);
    before = now;
  }, 1_000);
}

async function measure(browser) {
  const { page, errors } = await enter(browser, values);
  await page.evaluate(watchPeople);
  const session = await page.context().newCDPSession(page);
  const samples = [];
  const until = Date.now() + Number(values.minutes) * 60_000;
  while (Date.now() < until) {
    await page.waitForTimeout(PERIOD_MS);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    samples.push(usedSize / 1_048_576);
  }
  const fifth = (number) => samples.slice((samples.length * number) / 5, (samples.length * (number + 1)) / 5);
  const [early, late] = [quantile(fifth(1), 0.5), quantile(fifth(4), 0.5)];
  const people = await page.evaluate(() => globalThis.heapProbe);
  return { growth: late / early - 1, early_mib: early, late_mib: late, samples_mib: samples, ...people, errors };
}

await print({}, measure);
