// People in pages see each other's movements by datagrams over WebTransport, or over the WebSocket where UDP is
// blocked.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { motionWorker, probeMotionWorker } from "../lab/motion-worker.mjs";
import { launch, type OpenedPage, openPage } from "./browser.ts";
import { eventually } from "./eventually.ts";
import { MqttPerson } from "./mqtt-person.ts";
import { TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { DATAGRAMS_BY, SeverableProxy } from "./severable-proxy.ts";
import { guest } from "./texts.ts";

const SCENE = "public/sandbox";
/** Longer than the interval of retries from the WebSocket to WebTransport. */
const RETRY_MS = 75_000;

let realm: TestRealm;
let browser: Browser;
/** A proxy that can block datagrams. */
let line: SeverableProxy;

beforeAll(async () => {
  line = await SeverableProxy.open();
  [realm, browser] = await Promise.all([TestRealm.start(), launch()]);
});

afterAll(async () => {
  await browser?.close();
  await line?.close();
  await realm?.end();
});

/** The records of the probe in the motion worker. */
interface Probe {
  /** Transports that opened, in their order. */
  ways: string[];
}

declare const wayProbe: Probe;

/** A head as A-Frame's entity. */
interface HeadElement {
  getAttribute(name: string): { readonly name: string } | null;
  readonly object3D: { readonly position: { readonly x: number; readonly z: number } };
}

/**
 * Runs in a motion worker before its script: records which transports open. With a `port`, datagrams use that port of
 * the proxy.
 */
function probe(port: string | null): void {
  const noted: Probe = { ways: [] };
  Object.assign(globalThis, { wayProbe: noted });
  const Transport = globalThis.WebTransport;
  globalThis.WebTransport = class extends Transport {
    constructor(url: string | URL, options?: WebTransportOptions) {
      const target = new URL(url);
      if (port !== null) target.port = port;
      super(target, options);
      this.ready.then(
        () => noted.ways.push("webtransport"),
        () => noted.ways.push("no webtransport"),
      );
    }
  };
  const Socket = globalThis.WebSocket;
  globalThis.WebSocket = class extends Socket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      if (String(protocols).startsWith("stoa-motion"))
        this.addEventListener("open", () => noted.ways.push("websocket"));
    }
  };
}

/** One person's page. */
interface Visitor extends ScenePage {
  readonly named: string;
  /** Number of a person's camera messages that arrived. */
  readonly camerasOf: (name: string) => number;
}

/** Opens a page with the probe and counts its incoming camera messages. */
async function visitor(named: string, throughProxy = false): Promise<Visitor> {
  const opened: OpenedPage = await openPage(browser);
  const received: string[] = [];
  opened.page.on("websocket", (socket) => {
    if (!socket.url().includes("/mqtt")) return;
    socket.on("framereceived", ({ payload }) => received.push(payload.toString()));
  });
  await probeMotionWorker(opened.page, [probe], throughProxy ? DATAGRAMS_BY : null);
  const camerasOf = (name: string) => received.filter((text) => text.includes(`"displayName":"${name}"`)).length;
  return Object.assign(await ScenePage.enterOn(opened, SCENE, named), { named, camerasOf });
}

const waysOf = async ({ page }: ScenePage): Promise<string[]> =>
  (await motionWorker(page)?.evaluate(() => wayProbe.ways)) ?? [];

async function opens(who: ScenePage, way: string, withinMs = 30_000): Promise<void> {
  await eventually(`${way} is open`, async () => (await waysOf(who)).includes(way), withinMs);
}

/** How long a camera message is shown and extrapolated. */
const CAMERA_SHOWN_MS = 350;

/** One person walks and the other sees it, also without recent camera messages. */
async function seesWalking(watcher: Visitor, walker: Visitor): Promise<void> {
  await watcher.page.locator("[stoa-avatar]").first().waitFor({ state: "attached" });
  const before = await watcher.otherHead();
  let [cameras, cameAt, seen] = [0, 0, before];
  let [wasAlone, movedAlone] = [false, false];
  const walked = async () => {
    const { x, y, z } = await watcher.otherHead();
    const count = watcher.camerasOf(walker.named);
    const isAlone = count === cameras && Date.now() - cameAt > CAMERA_SHOWN_MS;
    if (count !== cameras) [cameras, cameAt] = [count, Date.now()];
    if (isAlone && wasAlone && Math.hypot(x - seen.x, z - seen.z) > 0.02) movedAlone = true;
    [seen, wasAlone] = [{ x, y, z }, isAlone];
    return Math.hypot(x - before.x, z - before.z);
  };
  await walker.walkUntil("w", async () => (await walked()) > 1.5 && movedAlone);
}

describe("the motion plane in pages", () => {
  test("two pages see each other move by WebTransport", async () => {
    const [ada, bo] = [await visitor("Ada"), await visitor("Bo")];
    await Promise.all([opens(ada, "webtransport"), opens(bo, "webtransport")]);
    await seesWalking(bo, ada);
    await seesWalking(ada, bo);
    expect([await waysOf(ada), await waysOf(bo)]).toEqual([["webtransport"], ["webtransport"]]);
    expect([...ada.errors, ...bo.errors]).toEqual([]);
    await Promise.all([ada.page.context().close(), bo.page.context().close()]);
  });

  test("a page with UDP blocked uses the WebSocket, and changes to WebTransport once UDP passes", async () => {
    line.blocksDatagrams = true;
    const [ada, bo] = [await visitor("Ada", true), await visitor("Bo")];
    await Promise.all([opens(ada, "websocket"), opens(bo, "webtransport")]);
    expect(await waysOf(ada)).toEqual(["no webtransport", "websocket"]);
    await seesWalking(bo, ada);
    await seesWalking(ada, bo);
    await ada.say("can you see me walk");
    await bo.hears("can you see me walk");
    await bo.say("as if you were next door");
    await ada.hears("as if you were next door");
    expect(await ada.page.locator("stoa-status .bar").count(), "nothing is asked of her, nothing is amiss").toBe(0);
    expect(line.datagrams, "no datagram came through").toBe(0);
    await Promise.all([ada.close(), bo.close()]);
    line.blocksDatagrams = false;
    await opens(ada, "webtransport", RETRY_MS);
    await seesWalking(bo, ada);
    expect([...ada.errors, ...bo.errors]).toEqual([]);
    await Promise.all([ada.page.context().close(), bo.page.context().close()]);
  }, 180_000);

  test("an MQTT-only client and pages on the motion plane see each other move", async () => {
    line.blocksDatagrams = true;
    const [ada, bo, old] = [await visitor("Ada"), await visitor("Bo", true), await MqttPerson.enter(SCENE)];
    await Promise.all([opens(ada, "webtransport"), opens(bo, "websocket")]);
    for (const walker of [ada, bo]) {
      const before = old.placesOf(walker.named).length;
      const began = Date.now();
      const distinct = () =>
        new Set(
          old
            .placesOf(walker.named)
            .slice(before)
            .map(({ x, z }) => `${x} ${z}`),
        ).size;
      await walker.walkUntil("w", () => Promise.resolve(distinct() >= 12));
      // The page itself sends one a second; the rest are the realm's.
      expect(distinct() / ((Date.now() - began) / 1_000)).toBeGreaterThan(3);
    }
    await old.show("Olga", 7, -3);
    await ada.sees("Olga");
    const headOf = (page: ScenePage["page"]) =>
      page.evaluate((name) => {
        const heads = [...document.querySelectorAll("[stoa-avatar]")] as unknown as HeadElement[];
        const { x = 0, z = 0 } =
          heads.find((el) => el.getAttribute("stoa-avatar")?.name === name)?.object3D.position ?? {};
        return { x, z };
      }, guest("Olga"));
    for (const [x, z] of [
      [7, -3],
      [8, -4],
    ] as const) {
      await old.show("Olga", x, z);
      for (const { page } of [ada, bo])
        await eventually(`Olga is at ${x}`, async () => {
          const head = await headOf(page);
          return Math.hypot(head.x - x, head.z - z) < 0.05;
        });
    }
    expect([...ada.errors, ...bo.errors]).toEqual([]);
    await old.leave();
    await Promise.all([ada.page.context().close(), bo.page.context().close()]);
  });
});
