import type { CapturedUnit, VoicePortRequest } from "@stoa/client";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type CaptureScope, serveCapture } from "../src/capture/capture-worker.ts";
import { Opus } from "../src/codec/opus.ts";
import type { LoadReport, SourceReport } from "../src/messages.ts";

/** A piece of sound as a track's processor gives it. */
interface Piece {
  readonly rateHz: number;
  readonly atMs: number;
  readonly channels: readonly Float32Array[];
}

let opus: Opus;
let reports: (SourceReport | LoadReport)[];
let units: CapturedUnit[];
let scope: CaptureScope;
let plane: MessagePort;

beforeAll(async () => {
  opus = await Opus.load();
});

beforeEach(() => {
  [reports, units] = [[], []];
  scope = { postMessage: (report) => reports.push(report), onmessage: null };
  const { port1, port2 } = new MessageChannel();
  plane = port1;
  plane.onmessage = ({ data }: MessageEvent<VoicePortRequest>) => units.push(data.unit);
  serveCapture(scope, Promise.resolve(opus));
  request({ port: port2 });
  return () => plane.close();
});

function request(data: Parameters<NonNullable<CaptureScope["onmessage"]>>[0]["data"]): void {
  scope.onmessage?.({ data } as MessageEvent);
}

/** Pieces of 10 ms of a tone, from a time on. */
function tone({ rateHz = 48_000, fromMs = 0, ms = 400, gains = [1] } = {}): Piece[] {
  const frames = rateHz / 100;
  return Array.from({ length: ms / 10 }, (_, piece) => ({
    rateHz,
    atMs: fromMs + 10 * piece,
    channels: gains.map((gain) =>
      Float32Array.from(
        { length: frames },
        (_, at) => 0.3 * gain * Math.sin((2 * Math.PI * 220 * (piece * frames + at)) / rateHz),
      ),
    ),
  }));
}

/** Sends pieces as a track's sound; resolves once all were taken and closed. */
async function hear(pieces: readonly Piece[]): Promise<void> {
  let open = pieces.length;
  const sounds = pieces.map(({ rateHz, atMs, channels }) => ({
    sampleRate: rateHz,
    timestamp: 1_000 * atMs,
    numberOfFrames: channels[0]?.length ?? 0,
    numberOfChannels: channels.length,
    copyTo(into: Float32Array, { planeIndex }: { planeIndex: number }) {
      into.set(channels[planeIndex] ?? []);
    },
    close() {
      open -= 1;
    },
  }));
  await vi.waitFor(() => expect(reports).toContainEqual({ kind: "ready" }));
  const sound = new ReadableStream({
    start(controller) {
      for (const one of sounds) controller.enqueue(one);
      controller.close();
    },
  });
  request({ sound: sound as unknown as ReadableStream<AudioData> });
  await vi.waitFor(() => expect(open).toBe(0));
}

describe("the worker that captures", () => {
  it("sends units with the times of their first samples", async () => {
    await hear(tone({ fromMs: 5_000 }));
    await vi.waitFor(() => expect(units).toHaveLength(20));
    for (const [at, unit] of units.entries()) {
      expect(unit.number).toBe(at + 1);
      expect(unit.capturedMs).toBeCloseTo(5_000 + 20 * at, 6);
    }
  });

  it("mixes channels", async () => {
    await hear(tone({ gains: [1, -1] }));
    const levels = reports.flatMap((report) => (report.kind === "level" ? [report.level] : []));
    expect(levels).toHaveLength(4);
    expect(levels.at(-1)).toBe(127);
  });

  it("reports the level ten times a second", async () => {
    await hear(tone());
    const levels = reports.flatMap((report) => (report.kind === "level" ? [report.level] : []));
    expect(levels).toHaveLength(4);
    // A sine of 0.3 has a power of −13.5 dB.
    expect(levels.at(-1)).toBe(13);
  });

  it("continues its numbers when the track changes its rate", async () => {
    await hear(tone());
    await hear(tone({ rateHz: 16_000, fromMs: 400 }));
    await vi.waitFor(() => expect(units.length).toBeGreaterThanOrEqual(39));
    expect(units.map(({ number }) => number)).toEqual(units.map((_, at) => at + 1));
    expect(units.at(-1)?.capturedMs).toBeGreaterThan(750);
  });

  it("takes long pieces", async () => {
    const [piece] = tone({ ms: 10 });
    const long = Float32Array.from({ length: 4_800 }, (_, at) => piece?.channels[0]?.[at % 480] ?? 0);
    await hear([{ rateHz: 48_000, atMs: 100, channels: [long] }]);
    await vi.waitFor(() => expect(units).toHaveLength(5));
    expect(units.map(({ capturedMs }) => Math.round(capturedMs))).toEqual([100, 120, 140, 160, 180]);
  });

  it("encodes nothing while muted", async () => {
    request({ isMuted: true });
    await hear(tone());
    request({ isMuted: false });
    await hear(tone({ fromMs: 1_000 }));
    await vi.waitFor(() => expect(units).toHaveLength(20));
    expect(units[0]?.capturedMs).toBeCloseTo(1_000, 6);
  });

  it("reports a codec that can't be loaded", async () => {
    serveCapture(scope, Promise.reject(new Error("no memory")));
    await vi.waitFor(() => expect(reports).toContainEqual({ kind: "failed", error: "Error: no memory" }));
  });
});
