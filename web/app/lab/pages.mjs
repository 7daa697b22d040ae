/**
 * Measures the delay from a page's report of its person's position to its arrival at another page, and to its display
 * there. Prints one JSON object. Started by `stoa-lab arena-pages`.
 *
 *     node pages.mjs --url http://localhost:8080 --scene public/sandbox --plane motion|scene --seconds 20
 *
 * Two pages of one browser enter, and the first one's person walks straight ahead. All datagrams and WebSocket messages
 * of both pages are recorded with their times, and decoded afterwards by the client's own code. A pose is identified by
 * its position, which never repeats. Both pages use the machine's clock (`performance.timeOrigin`). For the scene
 * plane, the motion plane is blocked in both pages.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runnerImport } from "vite";
import { enter, print, summary, WAIT_MS } from "./browser.mjs";
import { cameraPlaces, delays, shownDelays } from "./delays.mjs";
import { motionWorker } from "./motion-worker.mjs";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8080" },
    scene: { type: "string", default: "public/sandbox" },
    plane: { type: "string", default: "motion" },
    seconds: { type: "string", default: "20" },
  },
});

const CLIENT = fileURLToPath(new URL("../../client/src/", import.meta.url));
/** Walking time before the measurement. */
const SETTLE_MS = 3_000;

/**
 * Runs before the scripts of the page and of its motion worker: records sent and received data, and blocks the motion
 * plane on request.
 */
function probe(isBlocked) {
  const kept = { said: [], heard: [], shown: [] };
  globalThis.wayProbe = kept;
  const now = () => performance.timeOrigin + performance.now();
  const copy = (bytes) => {
    const view = ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes);
    return [...new Uint8Array(view.buffer, view.byteOffset, view.byteLength)];
  };
  const Transport = globalThis.WebTransport;
  globalThis.WebTransport = class extends Transport {
    constructor(url, options) {
      const target = new URL(url);
      if (isBlocked) target.port = "9";
      super(target, options);
      const { readable, writable } = this.datagrams;
      const { getReader } = readable;
      readable.getReader = (...given) => {
        const reader = getReader.apply(readable, given);
        const read = reader.read.bind(reader);
        reader.read = () => {
          const reading = read();
          // This listener runs first; the page's own follows in the same task.
          reading
            .then(({ value }) => value && kept.heard.push({ at: now(), bytes: copy(value) }))
            .catch(() => undefined);
          return reading;
        };
        return reader;
      };
      const { getWriter } = writable;
      writable.getWriter = (...given) => {
        const writer = getWriter.apply(writable, given);
        const write = writer.write.bind(writer);
        writer.write = (bytes) => {
          kept.said.push({ at: now(), bytes: copy(bytes) });
          return write(bytes);
        };
        return writer;
      };
    }
  };
  const Socket = globalThis.WebSocket;
  globalThis.WebSocket = class extends Socket {
    constructor(url, protocols) {
      const isMotion = String(protocols).startsWith("stoa-motion");
      super(isMotion && isBlocked ? "ws://127.0.0.1:9" : url, protocols);
      if (isMotion || !isBlocked) return;
      this.addEventListener("message", ({ data }) => kept.heard.push({ at: now(), bytes: copy(data) }));
    }
    send(bytes) {
      if (isBlocked && typeof bytes !== "string") kept.said.push({ at: now(), bytes: copy(bytes) });
      super.send(bytes);
    }
  };
}

/** Runs in the watching page: records in each frame where the other person is shown. */
function watch() {
  const kept = globalThis.wayProbe;
  const next = () => {
    const head = document.querySelector("[stoa-avatar]");
    const { x, z } = head?.object3D.position ?? {};
    if (x !== undefined) kept.shown.push({ at: performance.timeOrigin + performance.now(), place: [x, z] });
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

/** Positions of a page's own head that it sent on the motion plane, with times. */
async function motionPlaces({ said, heard }) {
  const { module: frames } = await runnerImport(`${CLIENT}motion/frame.ts`, { configFile: false });
  const { module: replicas } = await runnerImport(`${CLIENT}motion/replica.ts`, { configFile: false });
  const own = said.flatMap(({ at, bytes }) => {
    const parts = frames.parseFrame(Uint8Array.from(bytes))?.entries ?? [];
    const poses = parts.filter((part) => part.kind === "own").map(({ own: { pose } }) => pose.position);
    return poses.map(([x, , z]) => ({ at, place: [x / 1_000, z / 1_000] }));
  });
  const replica = new replicas.MotionReplica();
  const places = [];
  let at = 0;
  replica.onMoved = ({ kind, name }, _, [x, , z]) => places.push({ at, kind, name, place: [x, z] });
  for (const frame of heard) {
    const parts = frames.partsOf(Uint8Array.from(frame.bytes));
    at = frame.at;
    if (parts !== undefined) replica.handleFrame(parts, at);
  }
  return { own, places };
}

/** The records of a page and of its motion worker. */
async function recordsOf(page) {
  const read = () => globalThis.wayProbe;
  const [own, worker] = await Promise.all([page.evaluate(read), motionWorker(page)?.evaluate(read)]);
  return {
    said: [...own.said, ...(worker?.said ?? [])],
    heard: [...own.heard, ...(worker?.heard ?? [])],
    shown: own.shown,
  };
}

/** Positions of camera messages, with times. */
function scenePlaces({ said, heard }) {
  return { own: said.flatMap(cameraPlaces), places: heard.flatMap(cameraPlaces) };
}

async function measure(browser) {
  const isBlocked = values.plane === "scene";
  const given = { ...values, probes: [probe], workerProbes: [probe], given: isBlocked };
  const walker = await enter(browser, { ...given, name: "Walker" });
  const watcher = await enter(browser, { ...given, name: "Watcher" });
  await watcher.page.waitForFunction(() => document.querySelector("[stoa-avatar]")?.object3D !== undefined, undefined, {
    timeout: WAIT_MS,
  });
  await watcher.page.evaluate(watch);
  await walker.page.bringToFront();
  await walker.page.keyboard.down("w");
  await walker.page.waitForTimeout(SETTLE_MS);
  const began = Date.now();
  await walker.page.waitForTimeout(1_000 * Number(values.seconds));
  const ended = Date.now();
  const [said, heard] = await Promise.all([walker, watcher].map(({ page }) => recordsOf(page)));
  await walker.page.keyboard.up("w");
  const during = (kept) => kept.filter(({ at }) => at >= began && at < ended);
  const ways = { said: said.said, heard: heard.heard };
  const { own, places } = isBlocked ? scenePlaces(ways) : await motionPlaces(ways);
  const shown = shownDelays(own, during(heard.shown));
  return {
    plane: values.plane,
    said: during(own).length,
    had_ms: summary(delays(own, during(places))),
    shown_ms: summary(shown),
    frames_per_s: during(heard.shown).length / Number(values.seconds),
    errors: [...walker.errors, ...watcher.errors],
  };
}

await print({}, measure);
