import { motionWorker } from "./motion-worker.mjs";

/** Runs in the page before its scripts: times the motion plane's messages, and counts the people who are drawn. */
export function probePage() {
  /** Number of people who are drawn, near and far. */
  globalThis.peopleDrawn = () => {
    const [scene] = globalThis.AFRAME.scenes;
    const near = [...scene.querySelectorAll("[data-id-tag]")].filter((el) => el.object3D.visible).length;
    return near + (scene.querySelector("[stoa-crowd]")?.components["stoa-crowd"]?.behaviour?.count ?? 0);
  };
  const { onmessage } = Object.getOwnPropertyDescriptors(Worker.prototype);
  Object.defineProperty(Worker.prototype, "onmessage", {
    ...onmessage,
    set(handle) {
      const timed = (event) => {
        const began = performance.now();
        handle.call(this, event);
        globalThis.motionProbe.motionMs += performance.now() - began;
      };
      onmessage.set.call(this, handle === null ? null : timed);
    },
  });
}

/**
 * Runs before the scripts of the page and of its motion worker, since older pages have no worker: counts and times the
 * frames of the motion plane.
 */
export function probeMotion() {
  const times = { motionMs: 0, avatarsMs: 0, frames: [], datagrams: 0, ways: [] };
  globalThis.motionProbe = times;
  const { read } = ReadableStreamDefaultReader.prototype;
  let deliveredAt;
  const taken = () => {
    if (deliveredAt !== undefined) times.motionMs += performance.now() - deliveredAt;
    deliveredAt = undefined;
  };
  const readers = new WeakSet();
  ReadableStreamDefaultReader.prototype.read = function (...given) {
    if (!readers.has(this)) return read.apply(this, given);
    taken();
    const reading = read.apply(this, given);
    // This listener runs first; the page's own follows in the same task.
    reading.then(() => {
      times.datagrams += 1;
      deliveredAt = performance.now();
    });
    return reading;
  };
  const Transport = globalThis.WebTransport;
  globalThis.WebTransport = class extends Transport {
    constructor(...given) {
      super(...given);
      const { readable } = this.datagrams;
      const { getReader } = readable;
      readable.getReader = (...options) => {
        const reader = getReader.apply(readable, options);
        readers.add(reader);
        return reader;
      };
      this.ready.then(() => times.ways.push("webtransport")).catch(() => undefined);
    }
  };
  const Socket = globalThis.WebSocket;
  globalThis.WebSocket = class extends Socket {
    constructor(url, protocols) {
      super(url, protocols);
      if (!String(protocols).includes("stoa-motion")) return;
      this.addEventListener("open", () => times.ways.push("websocket"));
      // Registered as the first and the last listener of a message.
      this.addEventListener("message", () => {
        times.datagrams += 1;
        deliveredAt = performance.now();
      });
      queueMicrotask(() => this.addEventListener("message", taken));
    }
  };
}

/** The probes of the page and of its motion worker, to {@link enter} with. */
export const MOTION_PROBES = { probes: [probeMotion, probePage], workerProbes: [probeMotion] };

/** The datagrams of the page and its worker since the last call, the worker's time for them, and its transports. */
export async function takeMotion(page) {
  const take = () => {
    const { datagrams, motionMs, ways } = globalThis.motionProbe;
    globalThis.motionProbe.datagrams = 0;
    return { datagrams, motionMs, ways };
  };
  const [own, worker] = await Promise.all([page.evaluate(take), motionWorker(page)?.evaluate(take)]);
  return {
    datagrams: own.datagrams + (worker?.datagrams ?? 0),
    workerMs: worker?.motionMs ?? 0,
    way: [...own.ways, ...(worker?.ways ?? [])].at(-1) ?? null,
  };
}
