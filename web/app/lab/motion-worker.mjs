/** Probes of the worker in which a page's motion plane runs. */

/** Ends the address of a probed worker. */
const MARK = "#motion-worker";

/**
 * Runs in the page before its scripts: motion workers begin with `source`. (The service worker serves their scripts, so
 * they can't be replaced on the network.)
 */
function beginMotionWorkersWith([source, mark]) {
  const Plain = globalThis.Worker;
  globalThis.Worker = class extends Plain {
    constructor(url, options) {
      if (!String(url).includes("motion-worker")) {
        super(url, options);
        return;
      }
      // Messages before the import has ended would find no listener.
      const script = `const early = [];
        const keep = ({ data }) => early.push(data);
        addEventListener("message", keep);
        ${source}
        await import(${JSON.stringify(String(url))});
        removeEventListener("message", keep);
        for (const data of early) dispatchEvent(new MessageEvent("message", { data }));`;
      super(URL.createObjectURL(new Blob([script], { type: "text/javascript" })) + mark, options);
    }
  };
}

/** Runs `probes` in each motion worker of the page before its script, with `argument`. */
export async function probeMotionWorker(page, probes, argument) {
  const source = probes.map((probe) => `(${probe})(${JSON.stringify(argument ?? null)});`).join("\n");
  await page.addInitScript(beginMotionWorkersWith, [source, MARK]);
}

/** The newest probed motion worker of the page; `undefined` without one. */
export function motionWorker(page) {
  return page.workers().findLast((worker) => worker.url().endsWith(MARK));
}

/** Runs in a motion worker before its script: opens WebTransport on another port. Chromium ignores host rules for it. */
export function throughProxy(port) {
  const Transport = globalThis.WebTransport;
  globalThis.WebTransport = class extends Transport {
    constructor(url, options) {
      const target = new URL(url);
      target.port = port;
      super(target, options);
    }
  };
}

/** Runs in a motion worker before its script: counts the WebSockets that opened as `socketProbe.opened`. */
export function countSockets() {
  const probe = { opened: 0 };
  globalThis.socketProbe = probe;
  const Socket = globalThis.WebSocket;
  globalThis.WebSocket = class extends Socket {
    constructor(url, protocols) {
      super(url, protocols);
      this.addEventListener("open", () => {
        probe.opened += 1;
      });
    }
  };
}

/** The WebSockets that a page's motion worker with the probe `countSockets` has opened. */
export async function openedSockets(page) {
  return (await motionWorker(page)?.evaluate(() => globalThis.socketProbe.opened)) ?? 0;
}
