import { beforeEach, describe, expect, it } from "vitest";
import {
  FRAME_BYTES_MAX,
  MOTION_DRAIN_MS,
  MOTION_UNSENT_BYTES_MAX,
  MOTION_VOICE_AGE_MS_MAX,
  MOTION_VOICE_QUEUED_BYTES_MAX,
} from "../src/limits.ts";
import type { FrameClass, MotionTransport } from "../src/motion/transport.ts";
import { UpwardQueue } from "../src/motion/upward-queue.ts";
import { frameSender } from "../src/motion/websocket.ts";
import { datagramSender } from "../src/motion/webtransport.ts";
import { settle, VirtualClock } from "./support/virtual-clock.ts";

/** A frame with a number, of a certain size. */
function frame(number: number, bytes = 1): Uint8Array {
  return new Uint8Array(bytes).fill(number);
}

const numberOf = (bytes: Uint8Array | undefined) => bytes?.[0];

describe("the queue in front of a transport", () => {
  let queue: UpwardQueue;

  beforeEach(() => {
    queue = new UpwardQueue();
  });

  /** Takes all frames that are left at a time, and returns their numbers. */
  function takeAll(now: number): (number | undefined)[] {
    const taken: (number | undefined)[] = [];
    for (let next = queue.take(now); next !== undefined; next = queue.take(now)) taken.push(numberOf(next));
    return taken;
  }

  it("replaces waiting poses by newer ones", () => {
    queue.put(frame(1), "poses", 0);
    queue.put(frame(2), "poses", 10);
    expect(takeAll(1_000)).toEqual([2]);
  });

  it("writes voice in order, and before poses", () => {
    queue.put(frame(1), "poses", 0);
    queue.put(frame(2), "voice", 10);
    queue.put(frame(3), "voice", 30);
    expect(takeAll(40)).toEqual([2, 3, 1]);
  });

  it("drops voice that waited too long", () => {
    queue.put(frame(1), "voice", 0);
    queue.put(frame(2), "voice", 1);
    expect(takeAll(MOTION_VOICE_AGE_MS_MAX + 1)).toEqual([2]);
  });

  it("drops the oldest voice beyond the limit of bytes", () => {
    const count = MOTION_VOICE_QUEUED_BYTES_MAX / FRAME_BYTES_MAX;
    for (let number = 1; number <= count + 2; number += 1) queue.put(frame(number, FRAME_BYTES_MAX), "voice", 0);
    expect(takeAll(0)).toEqual([3, 4, 5, 6]);
    for (let number = 1; number <= count; number += 1) queue.put(frame(number, FRAME_BYTES_MAX), "voice", 0);
    expect(takeAll(0), "taken frames no longer count").toEqual([1, 2, 3, 4]);
  });

  it("keeps a copy, as the writer of frames reuses its buffer", () => {
    const buffer = frame(1);
    queue.put(buffer, "voice", 0);
    queue.put(buffer, "poses", 0);
    buffer.fill(9);
    expect(takeAll(0)).toEqual([1, 1]);
  });

  it("is empty once all frames are taken or too old", () => {
    expect(queue.isEmpty).toBe(true);
    queue.put(frame(1), "voice", 0);
    expect(queue.isEmpty).toBe(false);
    expect(queue.take(1_000)).toBeUndefined();
    expect(queue.isEmpty).toBe(true);
    queue.put(frame(2), "poses", 0);
    expect(queue.isEmpty).toBe(false);
  });
});

let clock: VirtualClock;
let sent: (number | undefined)[];
let send: MotionTransport["send"];

beforeEach(() => {
  clock = new VirtualClock();
  sent = [];
});

/** Sends numbered frames of the largest size. */
function sendAll(frameClass: FrameClass, ...numbers: readonly number[]): void {
  for (const number of numbers) send(frame(number, FRAME_BYTES_MAX), frameClass);
}

describe("a WebSocket's frames", () => {
  let socket: { bufferedAmount: number; readyState: 1 | 3; OPEN: 1; send: (bytes: unknown) => void };

  beforeEach(() => {
    socket = {
      bufferedAmount: 0,
      readyState: 1,
      OPEN: 1,
      send(bytes) {
        if (!(bytes instanceof Uint8Array)) throw new Error("frames are bytes");
        sent.push(numberOf(bytes));
        this.bufferedAmount += bytes.length;
      },
    };
    send = frameSender(socket, clock);
  });

  it("are sent at once while the socket has few unsent bytes", () => {
    sendAll("poses", 1, 2, 3, 4);
    expect(sent).toEqual([1, 2, 3, 4]);
  });

  it("wait while the socket is full, and are sent soon after it has room, voice first", async () => {
    socket.bufferedAmount = MOTION_UNSENT_BYTES_MAX;
    sendAll("poses", 1, 2);
    sendAll("voice", 3);
    await clock.advance(50);
    expect(sent, "negative control").toEqual([]);
    socket.bufferedAmount = 0;
    await clock.advance(MOTION_DRAIN_MS);
    expect(sent).toEqual([3, 2]);
  });

  it("never exceed the limit of unsent bytes by more than a frame", async () => {
    for (let number = 1; number <= 100; number += 1) {
      sendAll("voice", number);
      sendAll("poses", number);
      await clock.advance(1);
    }
    expect(socket.bufferedAmount).toBe(MOTION_UNSENT_BYTES_MAX);
  });

  it("leave no timer once they are sent or the socket is closed", async () => {
    let timers = 0;
    const after = clock.after.bind(clock);
    clock.after = (delayMs, then) => {
      timers += 1;
      return after(delayMs, then);
    };
    sendAll("poses", 1);
    await clock.advance(1_000);
    expect(timers).toBe(0);
    socket.bufferedAmount = MOTION_UNSENT_BYTES_MAX;
    sendAll("poses", 2);
    sendAll("voice", 3);
    expect(timers, "one for all waiting frames").toBe(1);
    socket.readyState = 3;
    await clock.advance(1_000);
    expect([timers, sent]).toEqual([1, [1]]);
  });
});

describe("WebTransport's frames", () => {
  let settleWrite: ((failed?: boolean) => void)[];

  beforeEach(() => {
    settleWrite = [];
    const write = (bytes: Uint8Array | undefined) => {
      sent.push(numberOf(bytes));
      return new Promise<void>((resolve, reject) => {
        settleWrite.push((failed) => (failed ? reject(new Error("the stream is closed")) : resolve()));
      });
    };
    send = datagramSender({ write }, clock);
  });

  it("are written one after the other, voice first", async () => {
    sendAll("poses", 1, 2, 3);
    sendAll("voice", 4, 5);
    expect(sent).toEqual([1]);
    for (let turn = 0; turn < 3; turn += 1) {
      settleWrite.at(-1)?.();
      await settle();
    }
    expect(sent).toEqual([1, 4, 5, 3]);
  });

  it("continue after a failed write", async () => {
    sendAll("poses", 1, 2);
    settleWrite.at(-1)?.(true);
    await settle();
    expect(sent).toEqual([1, 2]);
  });

  it("are not written if they became too old", async () => {
    sendAll("voice", 1, 2);
    await clock.advance(MOTION_VOICE_AGE_MS_MAX + 1);
    sendAll("voice", 3);
    settleWrite.at(-1)?.();
    await settle();
    expect(sent).toEqual([1, 3]);
  });
});
