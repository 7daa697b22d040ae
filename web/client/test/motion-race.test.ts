import { beforeEach, describe, expect, it } from "vitest";
import { FLOW_BEAT_MS, MOTION_RETRY_MS_MAX, MOTION_RETRY_S, MOTION_SILENCE_MS } from "../src/limits.ts";
import { MotionFeed } from "../src/motion/feed.ts";
import { parseFrame } from "../src/motion/frame.ts";
import { ReconnectingMotionConnection } from "../src/motion/plane.ts";
import { decodeTicket, type MotionTicket } from "../src/motion/ticket.ts";
import type { TransportKind } from "../src/motion/transport.ts";
import type { PlayerLink } from "../src/motion/voice-link.ts";
import { DownFrame, type FakeTransport, MotionRealm } from "./support/motion-realm.ts";
import { settle, VirtualClock } from "./support/virtual-clock.ts";

const OPENING_MS = 100;

let clock: VirtualClock;
let realm: MotionRealm;
let feed: MotionFeed;
let plane: ReconnectingMotionConnection;
let ticket: () => Promise<MotionTicket | undefined>;
/** Times of the ticket requests. */
let requestedAt: number[];
/** Transports whose frames arrive in neither direction. */
let blocked: Set<TransportKind>;
/** Frames that one WebTransport connection carries before its path breaks. */
let datagramsMax: number;
/** Times of the other person's poses. */
let movedAt: number[];
/** Numbers of the connections that began. */
let begun: number[];
/** Events of the feed's listeners, and the ends that the plane reported. */
let events: string[];

beforeEach(async () => {
  clock = new VirtualClock();
  realm = new MotionRealm();
  realm.opening = { clock, ms: OPENING_MS };
  feed = new MotionFeed();
  [requestedAt, movedAt, begun, events, blocked] = [[], [], [], [], new Set()];
  datagramsMax = Number.POSITIVE_INFINITY;
  ticket = async () => decodeTicket(realm.answer("ada_1"));
  feed.follow({
    onEntered: ({ name }) => events.push(`+ ${name}`),
    onMoved: () => movedAt.push(clock.now()),
    onLeft: ({ name }) => events.push(`- ${name}`),
  });
  const onBegun = feed.onBegun.bind(feed);
  feed.onBegun = (connection, ...more) => {
    begun.push(connection);
    onBegun(connection, ...more);
  };
  const onEnded = feed.onEnded.bind(feed);
  feed.onEnded = (now) => {
    events.push("ended");
    onEnded(now);
  };
  realm.offer = { ...realm.offer, flows: { speak: true, hear: true } };
  plane = new ReconnectingMotionConnection({
    ticket: () => {
      requestedAt.push(clock.now());
      return ticket();
    },
    transports: realm.ways,
    listener: feed,
    clock,
    random: () => 0.5,
  });
  plane.hear(player());
  void plane.run();
  serve();
  await clock.advance(FLOW_BEAT_MS);
});

function player(): PlayerLink {
  return { port: { close: () => undefined } as unknown as MessagePort, voices: 16 };
}

/** Frames that the realm has sent on each connection. */
const sentOn = new WeakMap<FakeTransport, number>();

/** Serves the latest connection with a frame of the client, as the realm does, and ends the earlier ones. */
function serve(): void {
  const heard = realm.opened.filter((way) => way.isOpen && way.sent.length > 0 && !isBlocked(way));
  const present = heard.pop();
  for (const earlier of heard) earlier.close();
  if (present !== undefined) deliver(present);
  clock.after(FLOW_BEAT_MS, serve);
}

function isBlocked(way: FakeTransport): boolean {
  return blocked.has(way.kind) || (way.kind === "webtransport" && (sentOn.get(way) ?? 0) >= datagramsMax);
}

function deliver(way: FakeTransport): void {
  const sequence = (sentOn.get(way) ?? 0) + 1;
  sentOn.set(way, sequence);
  const frame = new DownFrame(sequence, clock.now() >>> 0).acked(way.sent.length, way.sent.length);
  if (sequence < 3) frame.entered(1, { id: 7, kind: 0, name: "bo_1", x: 2 });
  way.deliver(frame.pose(7, sequence % 1_000));
}

function longestGapMs(): number {
  return Math.max(...movedAt.map((at, index) => at - (movedAt[index - 1] ?? at)));
}

/** The connections that the realm opened, in order, and whether each is still open. */
function opened(): readonly (readonly [TransportKind, boolean])[] {
  return realm.opened.map(({ kind, isOpen }) => [kind, isOpen]);
}

/** The connection that was opened in this place. */
function way(index: number): FakeTransport {
  const found = realm.opened[index];
  if (found === undefined) throw new Error(`only ${realm.opened.length} transports were opened`);
  return found;
}

const pose = { position: [1, 1.6, 0], rotation: [0, 0, 0, 1] } as const;

describe("a client that hears voices", () => {
  it("sees the other people move on by WebSocket within 3 s when UDP is blocked, and none of them leave", async () => {
    await clock.advance(5_000);
    expect(longestGapMs(), "negative control").toBe(FLOW_BEAT_MS);
    blocked.add("webtransport");
    await clock.advance(30_000);
    expect(longestGapMs()).toBeLessThanOrEqual(3_000);
    expect(opened()).toEqual([
      ["webtransport", false],
      ["websocket", true],
    ]);
    expect([feed.way, events, requestedAt.length, begun]).toEqual(["websocket", ["+ bo_1"], 2, [1, 2]]);
    expect([...feed.movers].map(({ name }) => name)).toEqual(["bo_1"]);
    expect(clock.now() - (movedAt.at(-1) ?? 0)).toBeLessThanOrEqual(FLOW_BEAT_MS);
  });

  it("returns to WebTransport without a pause of more than a beat", async () => {
    blocked.add("webtransport");
    await clock.advance(10_000);
    blocked.clear();
    movedAt = [];
    await clock.advance(1_000 * MOTION_RETRY_S);
    expect(opened().slice(1)).toEqual([
      ["websocket", false],
      ["webtransport", true],
    ]);
    expect([feed.way, longestGapMs(), events]).toEqual(["webtransport", FLOW_BEAT_MS, ["+ bo_1"]]);
  });

  it("opens WebTransport first when the WebSocket stalls", async () => {
    blocked.add("webtransport");
    await clock.advance(5_000);
    expect(feed.way, "negative control").toBe("websocket");
    blocked = new Set(["websocket"]);
    await clock.advance(3_000);
    expect([feed.way, realm.asked]).toEqual(["webtransport", ["webtransport", "websocket", "webtransport"]]);
  });

  it("opens the same transport again where the network has no other", async () => {
    realm.webSocket = "fails";
    await clock.advance(1_000);
    datagramsMax = sentOn.get(way(0)) ?? 0;
    await clock.advance(1_500);
    expect(realm.asked).toEqual(["webtransport", "websocket", "webtransport"]);
    expect([feed.way, events]).toEqual(["webtransport", ["+ bo_1"]]);
  });

  it("gives the race up for a frame that arrives at the last moment", async () => {
    await clock.advance(1_000);
    blocked.add("webtransport");
    await clock.advance(1_000);
    expect(realm.asked, "negative control").toEqual(["webtransport", "websocket"]);
    await clock.advance(OPENING_MS - 10);
    blocked.clear();
    deliver(way(0));
    await clock.advance(10_000);
    expect(opened()).toEqual([["webtransport", true]]);
    expect([feed.way, requestedAt.length]).toEqual(["webtransport", 2]);
  });

  it("opens nothing if a frame arrives before the ticket", async () => {
    let answer: (offered: MotionTicket | undefined) => void = () => undefined;
    ticket = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    blocked.add("webtransport");
    await clock.advance(2_000);
    expect(requestedAt.length).toBe(2);
    deliver(way(0));
    blocked.clear();
    answer(decodeTicket(realm.answer("ada_1")));
    await clock.advance(2_000);
    expect(realm.asked).toEqual(["webtransport"]);
  });

  it("keeps the later connection if a frame arrives on the stalled one after the later one opened", async () => {
    blocked = new Set(["webtransport", "websocket"]);
    await clock.advance(1_500);
    expect(opened(), "negative control").toEqual([
      ["webtransport", true],
      ["websocket", true],
    ]);
    deliver(way(0));
    await clock.advance(100);
    blocked.delete("websocket");
    await clock.advance(1_000);
    expect(opened()).toEqual([
      ["webtransport", false],
      ["websocket", true],
    ]);
  });

  it("keeps the later connection if a frame arrives on the stalled one while the later one sends its first", async () => {
    realm.onOpening = () => {
      const later = way(1);
      const send = later.send.bind(later);
      later.send = (...frame) => {
        send(...frame);
        deliver(way(0));
      };
    };
    blocked.add("webtransport");
    await clock.advance(2_000);
    expect(opened()).toEqual([
      ["webtransport", false],
      ["websocket", true],
    ]);
  });

  it("follows the stalled connection on if a later one ends before it is open", async () => {
    realm.webTransport = "fails";
    realm.onOpening = () => {
      deliver(way(1));
      way(1).close();
      blocked.clear();
    };
    blocked.add("webtransport");
    await clock.advance(2_000);
    way(0).deliver(new DownFrame(100, clock.now() >>> 0).entered(2, { id: 8, kind: 0, name: "cy_1", x: 2 }));
    expect([opened(), events]).toEqual([
      [
        ["webtransport", true],
        ["websocket", false],
      ],
      ["+ bo_1", "+ cy_1"],
    ]);
  });

  it("sends its poses on both connections until a frame arrives on the later one", async () => {
    blocked = new Set(["webtransport", "websocket"]);
    await clock.advance(1_500);
    const before = [way(0), way(1)].map(({ sent }) => sent.length);
    plane.move(0, pose);
    await settle();
    const poses = [way(0), way(1)].map(({ sent }, index) => sent.slice(before[index]).flatMap(posesIn).length);
    expect(poses).toEqual([1, 1]);
  });

  it("takes the later connection over when the earlier one ends before a frame arrives", async () => {
    blocked = new Set(["webtransport", "websocket"]);
    await clock.advance(1_500);
    way(0).close();
    expect([feed.way, events]).toEqual(["websocket", ["+ bo_1"]]);
    blocked.clear();
    await clock.advance(3_000);
    expect([feed.way, requestedAt.length, events]).toEqual(["websocket", 2, ["+ bo_1"]]);
  });

  it("keeps the WebSocket when no frame arrives on the WebTransport that it opened", async () => {
    blocked.add("webtransport");
    await clock.advance(10_000);
    await clock.advance(1_000 * MOTION_RETRY_S + MOTION_SILENCE_MS);
    expect(opened().slice(1)).toEqual([
      ["websocket", true],
      ["webtransport", false],
    ]);
    expect([feed.way, events]).toEqual(["websocket", ["+ bo_1"]]);
  });

  it("changes to WebTransport ever more seldom while that breaks soon after each change", async () => {
    await clock.advance(5_000);
    datagramsMax = 5;
    await clock.advance(1_000 * 1_000);
    const changedAt = () => opened().filter(([kind]) => kind === "webtransport").length - 1;
    // After 60, 120, 240 and 480 s.
    expect([changedAt(), feed.way]).toEqual([4, "websocket"]);
    await clock.advance(4 * MOTION_RETRY_MS_MAX);
    expect(changedAt()).toBe(8);
    expect(events).toEqual(["+ bo_1"]);
    datagramsMax = Number.POSITIVE_INFINITY;
    await clock.advance(MOTION_RETRY_MS_MAX);
    expect(feed.way).toBe("webtransport");
    blocked.add("webtransport");
    await clock.advance(5_000);
    expect(feed.way, "negative control").toBe("websocket");
    blocked.clear();
    await clock.advance(1_000 * MOTION_RETRY_S);
    expect(feed.way, "an upgrade that lasted starts the waits anew").toBe("webtransport");
  });

  it("asks for tickets no more often than the back-off allows while the network is dead", async () => {
    await clock.advance(15_000);
    blocked = new Set(["webtransport", "websocket"]);
    realm.webSocket = realm.webTransport = "fails";
    const before = clock.now();
    await clock.advance(60_000);
    const waits = requestedAt.slice(1).map((at, index) => at - (index === 0 ? before : (requestedAt[index] ?? 0)));
    // The race begins after a second; the waits of 500 ms and more begin anew with the end of the connection.
    expect(waits.slice(1).every((wait) => wait >= 375)).toBe(true);
    expect(waits.length).toBeLessThan(16);
    expect([events, feed.way]).toEqual([["+ bo_1", "ended", "- bo_1"], null]);
  });

  it("asks for tickets ever more seldom while frames pause again and again", async () => {
    for (let pause = 0; pause < 20; pause += 1) {
      blocked.add("webtransport");
      await clock.advance(1_000 + OPENING_MS - 10);
      blocked.clear();
      deliver(way(0));
    }
    expect([requestedAt.length, realm.opened.length]).toEqual([7, 1]);
  });

  it("reports the end of a silent connection while a request for a ticket is unanswered", async () => {
    ticket = () => new Promise(() => undefined);
    blocked.add("webtransport");
    await clock.advance(MOTION_SILENCE_MS + 200);
    expect([events, feed.way, requestedAt.length]).toEqual([["+ bo_1", "ended"], null, 2]);
  });

  it.each([
    ["while the later connection opens", 1_050],
    ["before a frame arrives on the later connection", 1_500],
  ])("ends both connections when it leaves %s", async (_, afterMs) => {
    blocked = new Set(["webtransport", "websocket"]);
    await clock.advance(afterMs);
    expect(realm.asked, "negative control").toEqual(["webtransport", "websocket"]);
    plane.close();
    await clock.advance(60_000);
    expect(opened().filter(([, isOpen]) => isOpen)).toEqual([]);
    expect([realm.asked.length, requestedAt.length, plane.carries]).toEqual([2, 2, false]);
  });

  it("ignores a frame on the later connection after it left", async () => {
    blocked = new Set(["webtransport", "websocket"]);
    await clock.advance(1_500);
    // A socket closes later than the call.
    way(1).close = () => undefined;
    plane.close();
    deliver(way(1));
    expect([feed.way, begun]).toEqual([null, [1]]);
  });

  it("sends its voice on both connections until a frame arrives on the later one", async () => {
    const port = { onmessage: null, close: () => undefined } as unknown as MessagePort;
    plane.speak({ port, epoch: 7 });
    blocked = new Set(["webtransport", "websocket"]);
    await clock.advance(1_500);
    const speak = (number: number) => {
      const unit = { number, capturedMs: 20 * number, level: 0x9e, payload: new Uint8Array(3) };
      const sent = realm.opened.map((one) => one.sent.length);
      port.onmessage?.(new MessageEvent("message", { data: { unit } }));
      return realm.opened.map((one, at) => unitsIn(one.sent.slice(sent[at])));
    };
    expect(speak(1)).toEqual([[1], [1]]);
    deliver(way(1));
    expect(speak(2)).toEqual([[], [2]]);
  });

  it("races when frames arrive that acknowledge nothing newer, since the way up is blocked", async () => {
    const until = clock.now() + 1_500;
    way(0).send = () => undefined;
    while (clock.now() < until) await clock.advance(100);
    expect(realm.asked).toEqual(["webtransport", "websocket"]);
  });

  it("does not race for a pause that began before it heard voices", async () => {
    plane.hear(undefined);
    blocked.add("webtransport");
    await clock.advance(900);
    plane.hear(player());
    await clock.advance(500);
    plane.hear(player());
    await clock.advance(400);
    expect(requestedAt.length).toBe(1);
    await clock.advance(200);
    expect(requestedAt.length).toBe(2);
  });
});

describe("a client that hears no voices", () => {
  it("never races", async () => {
    plane.hear(undefined);
    blocked.add("webtransport");
    await clock.advance(MOTION_SILENCE_MS - 200);
    expect([requestedAt.length, realm.asked]).toEqual([1, ["webtransport"]]);
    await clock.advance(300);
    expect([events, feed.way]).toEqual([["+ bo_1", "ended"], null]);
  });
});

function unitsIn(frames: readonly Uint8Array[]): readonly number[] {
  const entries = frames.flatMap((bytes) => parseFrame(bytes)?.entries ?? []);
  return entries.flatMap((entry) => (entry.kind === "unit" ? [entry.unit.number] : []));
}

function posesIn(bytes: Uint8Array): readonly unknown[] {
  return (parseFrame(bytes)?.entries ?? []).filter(({ kind }) => kind === "own");
}
