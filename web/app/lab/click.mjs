/**
 * From a click in a page to the update by which an agent answers it. Prints one JSON object. Started by `stoa-lab arena-click`, which sees to the agent.
 *
 *     node click.mjs --url http://localhost:8080 --scene public/lobby --target arena-click-box --clicks 50
 *
 * Closed-loop: a click is made once the one before was answered and is shown; so one slow answer delays those that follow, and counts once. Times run from the DOM's `mousedown`: to the
 * click's way out by the WebSocket, to the update's arrival in the page, and to the first render frame in which the object is elsewhere.
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

/** Clicks that don't count. */
const WARM_UP = 3;
/** A click that is not out by then met nothing; more than so many, and something else is wrong. */
const OUT_MS = 3_000;
const MISSED_MAX = 20;
/** To the left and the right of the object's middle, in metres: each click moves it. */
const ASIDE_M = 0.2;

/** Runs in the page before anything else: keeps when a click went out and when its answer came. */
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
  // A-Frame lets events of its own by the same name rise from entities.
  const press = ({ isTrusted, timeStamp }) => isTrusted && kept.clicks.push({ clicked: timeStamp });
  globalThis.addEventListener("mousedown", press, { capture: true });
}

/** Runs in the page: where on the screen the object is, a little aside of its middle. */
function onScreen([target, aside]) {
  const el = document.querySelector(`[data-object-id="${target}"]`);
  const [{ camera, canvas }] = globalThis.AFRAME.scenes;
  const place = el.object3D.getWorldPosition(new globalThis.AFRAME.THREE.Vector3());
  place.x += aside;
  const seen = place.project(camera);
  const { left, top, width, height } = canvas.getBoundingClientRect();
  return { x: left + ((seen.x + 1) / 2) * width, y: top + ((1 - seen.y) / 2) * height };
}

/** Runs in the page: looks at each render frame whether the object has moved. */
function watch(target) {
  // The press by which one came in is none of these.
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

/** Clicks, and waits until the answer is shown. False where the click met nothing: the pointer had not been seen there yet, as on a busy machine. */
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
      if (missed > MISSED_MAX) throw new Error(`${missed} clicks met nothing`);
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
