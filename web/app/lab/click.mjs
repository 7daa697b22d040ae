/**
 * Measures the time from a click in a page to the update with which an agent answers. Prints one JSON object. `stoa-lab
 * arena-click` starts it and the agent.
 *
 *     node click.mjs --url http://localhost:8080 --scene public/lobby --target arena-click-box --clicks 50
 *
 * Closed-loop: each click follows the shown answer to the previous one, so one slow answer delays the following clicks
 * and counts once. Times start at the DOM's `mousedown`. They end when the click leaves by the WebSocket, when the
 * update arrives in the page, and at the first render frame that shows the object elsewhere.
 */
import { parseArgs } from "node:util";
import { enter, print, summary, WAIT_MS } from "./browser.mjs";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8080" },
    scene: { type: "string", default: "public/lobby" },
    target: { type: "string", default: "arena-click-box" },
    clicks: { type: "string", default: "50" },
  },
});

/** Clicks before the measurement. */
const WARM_UP = 3;
/** A click that isn't sent within this time missed the object. More misses than the limit indicate another fault. */
const OUT_MS = 3_000;
const MISSED_MAX = 20;
/** Offset from the object's centre to the left or right in metres: each click moves the object. */
const ASIDE_M = 0.2;

/** Runs in the page before its scripts: records when a click was sent and when its answer arrived. */
function probe(target) {
  const kept = { clicks: [] };
  globalThis.clickProbe = kept;
  const now = () => performance.now();
  const text = (bytes) => (typeof bytes === "string" ? bytes : new TextDecoder("latin1").decode(bytes));
  const note = (key) => {
    const last = kept.clicks.at(-1);
    if (last !== undefined && last[key] === undefined) last[key] = now();
  };
  const Socket = globalThis.WebSocket;
  globalThis.WebSocket = class extends Socket {
    constructor(url, protocols) {
      super(url, protocols);
      if (!String(url).includes("/mqtt")) return;
      this.addEventListener("message", ({ data }) => {
        const said = text(data);
        if (kept.clicks.at(-1)?.sent !== undefined && said.includes(`/${target}`) && /"action": ?"update"/.test(said))
          note("had");
      });
    }
    send(bytes) {
      const said = text(bytes);
      if (said.includes("mousedown") && said.includes(target)) note("sent");
      super.send(bytes);
    }
  };
  // A-Frame emits events of the same name on entities; only trusted ones are mouse events.
  const press = ({ isTrusted, timeStamp }) => isTrusted && kept.clicks.push({ clicked: timeStamp });
  globalThis.addEventListener("mousedown", press, { capture: true });
}

/** Runs in the page: the object's position on the screen, with an offset from its centre. */
function onScreen([target, aside]) {
  const el = document.querySelector(`[data-object-id="${target}"]`);
  const [{ camera, canvas }] = globalThis.AFRAME.scenes;
  const place = el.object3D.getWorldPosition(new globalThis.AFRAME.THREE.Vector3());
  place.x += aside;
  const seen = place.project(camera);
  const { left, top, width, height } = canvas.getBoundingClientRect();
  return { x: left + ((seen.x + 1) / 2) * width, y: top + ((1 - seen.y) / 2) * height };
}

/** Runs in the page: checks in each render frame whether the object has moved. */
function watch(target) {
  // Drops the click that closed the name form.
  globalThis.clickProbe.clicks.length = 0;
  const { position } = document.querySelector(`[data-object-id="${target}"]`).object3D;
  let before = position.x;
  const next = () => {
    const last = globalThis.clickProbe.clicks.at(-1);
    if (last?.had !== undefined && last.shown === undefined && Math.abs(position.x - before) > 1e-4)
      last.shown = performance.now();
    if (last?.shown !== undefined) before = position.x;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

/**
 * Clicks and waits until the answer is shown. False if the click missed: the pointer's move had not been processed yet,
 * as on a busy machine.
 */
async function click(page, aside) {
  const { x, y } = await page.evaluate(onScreen, [values.target, aside]);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.up();
  const went = () => globalThis.clickProbe.clicks.at(-1)?.sent !== undefined;
  const hasGone = await page.waitForFunction(went, undefined, { timeout: OUT_MS }).then(
    () => true,
    () => false,
  );
  if (!hasGone) return false;
  const isShown = () => globalThis.clickProbe.clicks.at(-1)?.shown !== undefined;
  await page.waitForFunction(isShown, undefined, { timeout: WAIT_MS / 4 });
  return true;
}

async function measure(browser) {
  const { page, errors } = await enter(browser, { ...values, name: "Clicker", probes: [probe], given: values.target });
  const isThere = (target) =>
    document.querySelector(`[data-object-id="${target}"]`)?.object3D?.getObjectByProperty("isMesh", true) !== undefined;
  await page.waitForFunction(isThere, values.target, { timeout: WAIT_MS });
  await page.locator("stoa-status .bar").waitFor({ state: "detached", timeout: WAIT_MS });
  await page.evaluate(watch, values.target);
  let missed = 0;
  for (let number = 0; number < WARM_UP + Number(values.clicks); number += 1)
    while (!(await click(page, number % 2 === 0 ? ASIDE_M : -ASIDE_M))) {
      missed += 1;
      if (missed > MISSED_MAX) throw new Error(`${missed} clicks missed the object, the limit is ${MISSED_MAX}`);
    }
  const all = await page.evaluate(() => globalThis.clickProbe.clicks);
  const clicks = all.filter(({ shown }) => shown !== undefined).slice(WARM_UP);
  return {
    sent_ms: summary(clicks.map(({ clicked, sent }) => sent - clicked)),
    had_ms: summary(clicks.map(({ clicked, had }) => had - clicked)),
    shown_ms: summary(clicks.map(({ clicked, shown }) => shown - clicked)),
    missed,
    errors,
  };
}

await print({}, measure);
