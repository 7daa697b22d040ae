import { beforeEach, describe, expect, it } from "vitest";
import { MotionFeed } from "../src/motion/feed.ts";
import { decodeTicket, type MotionTicket } from "../src/motion/ticket.ts";
import { hostMotionPlane } from "../src/motion/worker-host.ts";
import type { MotionPort, MotionWorkerReport, MotionWorkerRequest } from "../src/motion/worker-messages.ts";
import { WorkerMotionPlane } from "../src/motion/worker-plane.ts";
import { DownFrame, MotionRealm } from "./support/motion-realm.ts";
import { settle, VirtualClock } from "./support/virtual-clock.ts";

/** How much later the worker's clock began. */
const BEHIND_MS = 700;

/** Both ends of a channel that copies messages, as a browser does, and delivers them in a later task. */
function channel<Up, Down>(): { page: MotionPort<Up, Down>; worker: MotionPort<Down, Up>; delivered: () => void } {
  const waiting: (() => void)[] = [];
  const page: MotionPort<Up, Down> = {
    onmessage: null,
    postMessage: (message, transfer) => send(message, transfer, () => worker.onmessage),
  };
  const worker: MotionPort<Down, Up> = {
    onmessage: null,
    postMessage: (message, transfer) => send(message, transfer, () => page.onmessage),
  };
  function send<T>(message: T, transfer: Transferable[], to: () => ((event: MessageEvent<T>) => void) | null): void {
    const data = structuredClone(message, { transfer });
    waiting.push(() => to()?.(new MessageEvent("message", { data })));
  }
  const delivered = () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next();
  };
  return { page, worker, delivered };
}

let clock: VirtualClock;
let realm: MotionRealm;
let feed: MotionFeed;
let plane: WorkerMotionPlane;
let deferred: (() => void)[];
let posted: number;
let isClosed: boolean;
let delivered: () => void;
let ticket: () => Promise<MotionTicket | undefined>;

beforeEach(() => {
  clock = new VirtualClock();
  realm = new MotionRealm();
  feed = new MotionFeed();
  [deferred, posted, isClosed] = [[], 0, false];
  ticket = async () => decodeTicket(realm.answer("ada_1"));
  const ends = channel<MotionWorkerRequest, MotionWorkerReport>();
  delivered = ends.delivered;
  const { worker } = ends;
  hostMotionPlane({
    port: {
      postMessage: (report, transfer) => {
        posted += report.kind === "events" ? 1 : 0;
        worker.postMessage(report, transfer);
      },
      set onmessage(handle: MotionPort<MotionWorkerReport, MotionWorkerRequest>["onmessage"]) {
        worker.onmessage = handle;
      },
    },
    transports: realm.ways,
    clock: { now: () => clock.now() - BEHIND_MS, after: (delayMs, then) => clock.after(delayMs, then) },
    random: () => 0.5,
    timeOrigin: 1_000 + BEHIND_MS,
    defer: (then) => deferred.push(then),
    onClosed: () => {
      isClosed = true;
    },
  });
  plane = new WorkerMotionPlane({
    port: ends.page,
    ticket: () => ticket(),
    listener: feed,
    clock,
    timeOrigin: 1_000,
  });
});

/** Lets page and worker run until nothing is left to do. */
async function run(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await settle();
    for (const then of deferred.splice(0)) then();
    delivered();
  }
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    await clock.advance(50);
    await run();
  }
}

const at = (x: number) => ({ position: [x, 1.6, 0], rotation: [0, 0, 0, 1] }) as const;

describe("a motion plane in a worker", () => {
  it("reports movers and their poses on the page's clock, in one message for the frames of one task", async () => {
    await run();
    const seen: unknown[] = [];
    feed.follow({
      onEntered: ({ kind, name }) => seen.push(`+ ${kind} ${name}`),
      onMoved: ({ name }, time, pose) => seen.push([name, time - clock.now(), pose[0]]),
      onLeft: ({ kind, name }) => seen.push(`- ${kind} ${name}`),
    });
    const before = posted;
    realm.way.deliver(new DownFrame(1, 1_000).entered(1, { id: 4, kind: 0, name: "bo_1", x: 1 }));
    realm.way.deliver(new DownFrame(2, 1_000).pose(4, 500));
    realm.way.deliver(new DownFrame(3, 1_001).pose(4, 750).left(2, 4));
    await run();
    expect(seen).toEqual(["+ head bo_1", ["bo_1", 0, 1], ["bo_1", 0, 1.75], "- head bo_1"]);
    expect(posted - before).toBe(1);
    expect(feed.way).toBe("webtransport");
  });

  it("sends the page's poses, and tells which objects the realm accepts", async () => {
    await run();
    plane.move(0, at(2));
    plane.moveObject("lamp", at(3));
    await pass(100);
    expect([plane.carries, plane.holds("lamp")]).toEqual([false, false]);
    realm.way.deliver(
      new DownFrame(1, 1_000)
        .entered(1, { id: 4, kind: 0, name: "ada_1", x: 2 })
        .entered(2, { id: 5, kind: 3, name: "lamp", x: 3 }),
    );
    await pass(100);
    expect([plane.carries, plane.holds("lamp")]).toEqual([true, true]);
    plane.moveObject("lamp", null);
    await pass(100);
    expect(plane.holds("lamp")).toBe(false);
  });

  it("requests another ticket after a failure, and none after a refusal", async () => {
    await run();
    let requests = 0;
    ticket = async () => {
      requests += 1;
      if (requests === 1) throw new Error("the server can't be reached");
      return undefined;
    };
    realm.way.close();
    await pass(60_000);
    expect(requests).toBe(2);
    expect(feed.way).toBeNull();
  });

  it("closes the transport when the page closes the plane, and reports nothing afterwards", async () => {
    await run();
    realm.way.deliver(new DownFrame(1, 1_000).entered(1, { id: 4, kind: 0, name: "bo_1", x: 1 }));
    plane.close();
    await run();
    expect([realm.way.isOpen, isClosed, feed.way]).toEqual([false, true, null]);
    expect([...feed.movers]).toEqual([]);
  });
});
