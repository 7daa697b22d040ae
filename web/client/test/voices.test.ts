import { beforeEach, describe, expect, it } from "vitest";
import { MotionFeed } from "../src/motion/feed.ts";
import { type FrameEntry, type MediaUnit, parseFrame } from "../src/motion/frame.ts";
import { FrameWriter } from "../src/motion/frame-writer.ts";
import { ReconnectingMotionConnection } from "../src/motion/plane.ts";
import { decodeTicket } from "../src/motion/ticket.ts";
import { type CapturedUnit, type VoicePortReport, voiceOf } from "../src/motion/voice-link.ts";
import { DownFrame, MotionRealm } from "./support/motion-realm.ts";
import { VirtualClock } from "./support/virtual-clock.ts";

const EPOCH = 0xdead_beef;
const OFFER = { url: "https://realm.test/motion?ticket=t", certificate_hashes: ["AAEC"] };

let clock: VirtualClock;
let realm: MotionRealm;
let feed: MotionFeed;
let plane: ReconnectingMotionConnection;
let heard: VoicePortReport[];
/** The source's channel. */
let port: MessagePort;

beforeEach(async () => {
  clock = new VirtualClock();
  realm = new MotionRealm();
  realm.offer = { webtransport: OFFER, websocket: { url: "wss://realm.test/motion" }, flows: BOTH };
  feed = new MotionFeed();
  heard = [];
  port = fakePort();
  plane = new ReconnectingMotionConnection({
    ticket: async () => decodeTicket(realm.answer("ada_1")),
    transports: realm.ways,
    listener: feed,
    clock,
    random: () => 0.5,
  });
  feed.voices.handlePlane(plane);
  void plane.run();
  await clock.advance(100);
});

const BOTH = { speak: true, hear: true };

function fakePort(): MessagePort {
  const postMessage = (report: VoicePortReport) => heard.push(structuredClone(report));
  return { onmessage: null, postMessage, close: () => undefined } as unknown as MessagePort;
}

/** Hears some voices and speaks. */
function talk(hears: number): void {
  if (hears > 0) feed.voices.hear({ hears, openPort: fakePort });
  feed.voices.speak({ epoch: EPOCH, openPort: () => port });
}

function capture(number: number, capturedMs = 20 * number, size = 3): void {
  const unit: CapturedUnit = { number, capturedMs, level: 0x9e, payload: new Uint8Array(size).fill(number) };
  port.onmessage?.(new MessageEvent("message", { data: { unit } }));
}

/** Entries of the frames sent since the last call, without acknowledgements and arrivals. */
function sent(): FrameEntry[][] {
  const frames = realm.way.sent.splice(0).map((frame) => parseFrame(frame)?.entries ?? []);
  return frames.map((entries) => entries.filter(({ kind }) => kind !== "ack" && kind !== "arrivals"));
}

function unitsOf(entries: readonly FrameEntry[]): MediaUnit[] {
  return entries.flatMap((entry) => (entry.kind === "unit" ? [entry.unit] : []));
}

function acked(sequence: number, newest: number, received: number): DownFrame {
  return new DownFrame(sequence, 1_000).acked(newest, received);
}

/** A part that declares flow 2 of epoch 7 under the name `bo_1`, and one with its unit `number`. */
const DECLARED = [7, 0, 0, 0, 2, 1, 4, ...new TextEncoder().encode("bo_1")];
const unit = (number: number) => [7, 0, 0, 0, 2, number, 0, 0, 0, 9, 0, 0, 0, 0x9e, 0, 1, 0, 42];

describe("voices on the motion plane", () => {
  it("sends a captured unit at once, and declares its flow until a frame with the declaration has arrived", async () => {
    talk(16);
    await clock.advance(100);
    sent();
    capture(5);
    capture(6);
    const flow = { kind: "flow", declared: { epoch: EPOCH, flow: 0, media: 1, name: "" } };
    for (const frame of sent()) expect(frame.slice(0, 2)).toEqual([{ kind: "hears", voices: 16 }, flow]);
    const sequence = parseFrame(frameOf(7))?.sequence ?? 0;
    realm.way.deliver(acked(1, sequence, sequence));
    sent();
    capture(8);
    expect(sent().map((entries) => entries.map(({ kind }) => kind))).toEqual([["hears", "unit"]]);
  });

  it("keeps distances of capture times while a unit's message is late, and begins anew after a pause", () => {
    talk(0);
    capture(1, 1_000);
    capture(2, 1_020 - 30);
    capture(3, 1_040);
    capture(4, 500);
    const [first = 0, second, third, anew] = sent().flatMap((entries) => unitsOf(entries).map((one) => one.capturedMs));
    expect([second, third, anew]).toEqual([first - 10, first + 40, first]);
  });

  it("repeats the last units while frames upward get lost, the newest unit first", () => {
    talk(0);
    realm.way.deliver(acked(1, 1, 1));
    for (let number = 1; number < 5; number += 1) capture(number);
    // One of two frames says little.
    realm.way.deliver(acked(2, 3, 2));
    sent();
    capture(5);
    expect(sent().map((entries) => unitsOf(entries).map((one) => one.number))).toEqual([[5]]);
    realm.way.deliver(acked(3, 101, 81));
    sent();
    capture(6);
    expect(sent().map((entries) => unitsOf(entries).map((one) => one.number))).toEqual([[6, 5, 4, 3]]);
    realm.way.deliver(acked(4, 201, 181));
    for (let more = 5; more < 13; more += 1) realm.way.deliver(acked(more, 100 * more, 100 * more - 20));
    sent();
    capture(7);
    expect(sent().map((entries) => unitsOf(entries).map((one) => one.number))).toEqual([[7]]);
  });

  it("passes units of declared flows on, and names their speakers", () => {
    talk(16);
    const voice = voiceOf({ epoch: 7, flow: 2 });
    realm.way.deliver(new DownFrame(1, 1_000).part(9, unit(3)));
    expect(heard).toEqual([]);
    realm.way.deliver(new DownFrame(2, 1_000).part(8, DECLARED).part(9, [...unit(4), ...unit(5)]));
    const common = { voice, capturedMs: 9, level: 0x9e, payload: Uint8Array.of(42) };
    expect(heard).toEqual([4, 5].map((number) => ({ unit: { number, ...common } })));
    expect(feed.voices.speakerOf(voice)).toBe("bo_1");
  });

  it("passes a frame's units on once, and the server's estimate of the rate", () => {
    talk(16);
    const frame = new DownFrame(2, 1_000).part(8, DECLARED).part(9, unit(4)).part(10, [0x40, 0x1f, 0, 0]);
    realm.way.deliver(frame);
    realm.way.deliver(frame);
    expect(heard.map((report) => Object.keys(report)[0])).toEqual(["unit", "uplink"]);
    expect(heard[1]).toEqual({ uplink: { bytesPerS: 8_000, lostPerMille: 0 } });
  });

  it("opens new ports for another plane", () => {
    let ports = 0;
    const openPort = () => {
      ports += 1;
      return fakePort();
    };
    feed.voices.hear({ hears: 4, openPort });
    feed.voices.speak({ epoch: EPOCH, openPort });
    feed.voices.handlePlane(plane);
    expect(ports).toBe(4);
  });

  it("neither sends units nor asks for voices without the right to it", async () => {
    realm.offer = { webtransport: OFFER, flows: null };
    realm.way.close();
    await clock.advance(60_000);
    talk(16);
    capture(5);
    await clock.advance(500);
    expect(feed.voices.rights).toBeNull();
    const kinds = sent().flatMap((entries) => entries.map(({ kind }) => kind));
    expect(kinds.filter((kind) => kind === "hears" || kind === "unit")).toEqual([]);
  });

  function frameOf(number: number): Uint8Array {
    capture(number);
    return realm.way.sent.at(-1) ?? new Uint8Array();
  }
});

describe("a written frame", () => {
  it("decodes to the same declaration, unit and number of voices", () => {
    const writer = new FrameWriter();
    writer.begin(3, 9);
    const declared = { epoch: EPOCH, flow: 4, media: 1, name: "é_1" } as const;
    const payload = Uint8Array.of(1, 2, 3);
    const sentUnit = { epoch: EPOCH, flow: 4, number: 2 ** 32 - 1, capturedMs: 2 ** 31, level: 200, layer: 1, payload };
    expect([writer.hears(6), writer.flow(declared), writer.unit(sentUnit)]).toEqual([true, true, true]);
    expect(parseFrame(writer.bytes)?.entries).toEqual([
      { kind: "hears", voices: 6 },
      { kind: "flow", declared },
      { kind: "unit", unit: sentUnit },
    ]);
  });
});
