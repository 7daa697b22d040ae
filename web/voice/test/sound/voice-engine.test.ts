// Talking and hearing with a fake Web Audio: devices, contexts and the audio session.
import type { SceneVoices, VoicePlayer, VoiceSource } from "@stoa/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CONTEXT_IDLE_MS, CONTEXT_STARTS_MS, CONTEXT_WAKES_MS, MUTED_KEPT_MS } from "../../src/limits.ts";
import { SOURCE_PROCESSOR } from "../../src/messages.ts";
import { VoiceEngine } from "../../src/sound/voice-engine.ts";
import { FakeContext, FakeDevices, FakeTrackProcessor, FakeWorker, FakeWorkletNode } from "../support/fake-audio.ts";

let devices: FakeDevices;
let permission: string;
let session: EventTarget & { type: string; state: string };
let sources: (VoiceSource | undefined)[];
let players: (VoicePlayer | undefined)[];
let engine: VoiceEngine;

const voices = {
  rights: { speak: true, hear: true },
  speakerOf: () => "bo_1",
  follow: () => () => undefined,
  hear: (player: VoicePlayer | undefined) => void players.push(player),
  speak(source: VoiceSource | undefined) {
    sources.push(source);
    source?.openPort().close();
  },
} satisfies SceneVoices;

beforeEach(() => {
  vi.useFakeTimers();
  [devices, permission, sources, players] = [new FakeDevices(), "granted", [], []];
  session = Object.assign(new EventTarget(), { type: "auto", state: "active" });
  FakeContext.opened.length = 0;
  [FakeContext.opensAs, FakeContext.mixesRates, FakeWorkletNode.failsToLoad] = ["running", true, false];
  [FakeContext.hasOutput, FakeWorkletNode.needsRunning] = [true, false];
  vi.stubGlobal("AudioContext", FakeContext);
  vi.stubGlobal("AudioWorkletNode", FakeWorkletNode);
  vi.stubGlobal("navigator", { audioSession: session });
  engine = new VoiceEngine({
    voices,
    scriptUrl: "voice.js",
    hears: 2,
    hrtfVoices: 1,
    devices: devices as unknown as MediaDevices,
    permissions: { query: async () => ({ state: permission }) } as unknown as Permissions,
    random: () => 0.5,
  });
});

afterEach(() => {
  engine.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const context = () => FakeContext.opened[0] ?? expect.fail("no context was opened");
const source = () =>
  FakeContext.opened.flatMap(({ worklets }) => worklets).filter(({ name }) => name === SOURCE_PROCESSOR);
const isMuted = () => engine.talk.kind === "talking" && engine.talk.isMuted;

/** Reports an arriving voice, or the end of all. */
function play(isActive: boolean): void {
  const slots = [{ slot: 0, voice: 7, level: 0x9e, isActive, waitedMs: 0, targetMs: 0 }];
  context().worklets[0]?.report({ kind: "slots", slots, unplaced: 0 });
}

describe("talking", () => {
  it("asks for the whole system's echo cancellation, and tells which one the browser gives", async () => {
    await engine.startTalking("usb");
    expect(devices.asked).toEqual([
      {
        echoCancellation: { ideal: "all" },
        noiseSuppression: true,
        autoGainControl: true,
        channelCount: 1,
        deviceId: { ideal: "usb" },
      },
    ]);
    expect(engine.microphone).toEqual({ label: "Microphone usb", deviceId: "usb", echoCancellation: "all" });
    expect(engine.talk).toEqual({ kind: "talking", isMuted: false, level: 127, isSpeech: false });
  });

  it.each([
    ["NotAllowedError", "denied"],
    ["NotFoundError", "no-device"],
    ["NotReadableError", "taken"],
    ["TypeError", "unsupported"],
  ])("ends with its own hindrance after %s", async (name, hindrance) => {
    devices.error = Object.assign(new Error(name), { name });
    await engine.startTalking();
    expect(engine.talk).toEqual({ kind: "hindered", hindrance });
    expect(session.type).toBe("playback");
  });

  it.each([
    [true, "unsupported"],
    [false, "insecure"],
  ])("without capture in a page that is secure: %s", async (isSecureContext, hindrance) => {
    vi.stubGlobal("isSecureContext", isSecureContext);
    Object.assign(devices, { getUserMedia: undefined });
    await engine.startTalking();
    expect(engine.talk).toEqual({ kind: "hindered", hindrance });
  });

  it("is unsupported without audio worklets", async () => {
    vi.stubGlobal("AudioWorkletNode", undefined);
    Reflect.deleteProperty(globalThis, "AudioWorkletNode");
    await engine.startTalking();
    expect(engine.talk).toEqual({ kind: "hindered", hindrance: "unsupported" });
  });

  it("tells that the browser has no sound output, and talks once there is one", async () => {
    [FakeContext.opensAs, FakeContext.hasOutput, FakeWorkletNode.needsRunning] = ["suspended", false, true];
    const talking = engine.startTalking();
    await vi.advanceTimersByTimeAsync(CONTEXT_STARTS_MS - 1);
    expect(engine.talk).toEqual({ kind: "starting" });
    await vi.advanceTimersByTimeAsync(1);
    await talking;
    expect(engine.talk).toEqual({ kind: "hindered", hindrance: "no-output" });
    FakeContext.hasOutput = true;
    await engine.startTalking();
    expect(engine.talk).toMatchObject({ kind: "talking" });
    expect(FakeContext.opened).toHaveLength(1);
  });

  it("hears after a press where the context must run before the player loads", async () => {
    [FakeContext.opensAs, FakeWorkletNode.needsRunning] = ["suspended", true];
    const listening = engine.listen();
    await vi.advanceTimersByTimeAsync(0);
    expect(players).toEqual([]);
    await engine.resume();
    await listening;
    expect(players).toHaveLength(1);
  });

  it("tells that the codec did not load, in the player or later in the source", async () => {
    FakeWorkletNode.failsToLoad = true;
    await engine.startTalking();
    expect(engine.talk).toEqual({ kind: "hindered", hindrance: "codec" });
    expect(context().state, "of a failed attempt").toBe("closed");
    FakeWorkletNode.failsToLoad = false;
    await engine.startTalking();
    source()[0]?.report({ kind: "failed", error: "no memory" });
    expect(engine.talk).toEqual({ kind: "hindered", hindrance: "codec" });
    expect(devices.track.isStopped).toBe(true);
  });

  it.each([
    ["granted", "unplugged"],
    ["denied", "denied"],
  ])("ends with the device, which a person with the permission %s sees as %s", async (state, hindrance) => {
    await engine.startTalking();
    permission = state;
    devices.track.dispatchEvent(new Event("ended"));
    await vi.waitFor(() => expect(engine.talk).toEqual({ kind: "hindered", hindrance }));
    expect(sources.at(-1)).toBeUndefined();
  });

  it("stops every track at its end, also of a device that opens later", async () => {
    await engine.startTalking();
    engine.stopTalking();
    expect([devices.track.isStopped, engine.talk, sources.at(-1)]).toEqual([true, { kind: "off" }, undefined]);
    let open: () => void = () => undefined;
    devices.opening = new Promise((resolve) => {
      open = resolve;
    });
    const starting = engine.startTalking();
    await vi.waitFor(() => expect(devices.asked).toHaveLength(2));
    engine.stopTalking("forbidden");
    open();
    await starting;
    expect([devices.track.isStopped, engine.talk]).toEqual([true, { kind: "hindered", hindrance: "forbidden" }]);
  });

  it("uses the device that was asked for last, even if an earlier one opens after it", async () => {
    let open: () => void = () => undefined;
    devices.opening = new Promise((resolve) => {
      open = resolve;
    });
    const first = engine.startTalking("slow");
    await vi.waitFor(() => expect(devices.asked).toHaveLength(1));
    devices.opening = Promise.resolve();
    await engine.startTalking("quick");
    open();
    await first;
    expect(devices.tracks.map(({ label, isStopped }) => [label, isStopped])).toEqual([
      ["Microphone quick", false],
      ["Microphone slow", true],
    ]);
    expect(engine.microphone?.deviceId).toBe("quick");
  });

  it("stops every track when the scene is left", async () => {
    await engine.startTalking();
    engine.close();
    expect([devices.track.isStopped, context().state]).toEqual([true, "closed"]);
  });

  it("remains one flow of the realm while devices change, and the device before is given back", async () => {
    await engine.startTalking("usb");
    await engine.startTalking("head");
    engine.stopTalking();
    await engine.startTalking("head");
    expect(devices.tracks.map(({ isStopped }) => isStopped)).toEqual([true, true, false]);
    expect([source().length, new Set(sources.filter((one) => one !== undefined)).size]).toEqual([1, 1]);
  });

  it("keeps a muted person muted while devices change", async () => {
    await engine.startTalking("usb");
    engine.mute(true);
    await engine.startTalking("head");
    expect([isMuted(), devices.track.enabled]).toEqual([true, false]);
  });

  it("begins muted for push to talk, and sends nothing before", async () => {
    await engine.startTalking(undefined, true);
    expect([isMuted(), devices.track.enabled]).toEqual([true, false]);
    expect(source()[0]?.sent.slice(0, 2)).toEqual([{ isMuted: true }, { port: expect.anything() }]);
  });

  it("uses a context of the device's rate where browsers can't mix rates, and closes it at the end", async () => {
    FakeContext.mixesRates = false;
    await engine.startTalking();
    const own = FakeContext.opened[1];
    expect([own?.rateHz, own?.state, engine.talk.kind]).toEqual([44_100, "running", "talking"]);
    engine.stopTalking();
    expect(own?.state).toBe("suspended");
    await engine.startTalking();
    expect([own?.state, FakeContext.opened.length, source().length]).toEqual(["running", 2, 2]);
    engine.close();
    expect(own?.state).toBe("closed");
  });
});

describe("talking in Chromium, which captures in a worker", () => {
  const worker = () => FakeWorker.opened.at(-1) ?? expect.fail("no worker was opened");

  beforeEach(() => {
    FakeWorker.opened.length = 0;
    vi.stubGlobal("Worker", FakeWorker);
    vi.stubGlobal("MediaStreamTrackProcessor", FakeTrackProcessor);
  });

  it("hands one worker the sound of each device, before the channel to the realm", async () => {
    await engine.startTalking("usb");
    await engine.startTalking("head");
    expect([FakeWorker.opened.length, source().length]).toEqual([1, 0]);
    expect(worker().sent.filter((one) => !JSON.stringify(one).includes("isMuted"))).toEqual([
      { sound: "sound of Microphone usb" },
      { port: expect.anything() },
      { sound: "sound of Microphone head" },
      { port: expect.anything() },
    ]);
    worker().onmessage?.({ data: { kind: "level", level: 30, isSpeech: true } });
    expect(engine.talk).toEqual({ kind: "talking", isMuted: false, level: 30, isSpeech: true });
    engine.close();
    expect(worker().isTerminated).toBe(true);
  });

  it("tells that the worker's script did not load, and loads it at the next attempt", async () => {
    await engine.startTalking();
    worker().onerror?.({ message: "not found" });
    expect([engine.talk, worker().isTerminated]).toEqual([{ kind: "hindered", hindrance: "codec" }, true]);
    await engine.startTalking();
    expect([engine.talk.kind, FakeWorker.opened.length]).toEqual(["talking", 2]);
  });
});

describe("a muted microphone", () => {
  it.each(["open", "push"] as const)("is given back after a time, in the mode %s", async (mode) => {
    await engine.startTalking("usb");
    engine.mute(true, mode);
    expect(devices.track.enabled).toBe(false);
    await vi.advanceTimersByTimeAsync(MUTED_KEPT_MS[mode] - 1);
    expect(devices.track.isStopped).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([devices.track.isStopped, isMuted(), engine.microphone?.deviceId]).toEqual([true, true, "usb"]);
  });

  it("opens again with the same device to unmute, as the same flow", async () => {
    await engine.startTalking("usb");
    engine.mute(true);
    await vi.advanceTimersByTimeAsync(MUTED_KEPT_MS.open);
    engine.mute(false);
    expect(isMuted(), "until the device is open").toBe(true);
    await vi.waitFor(() => expect(isMuted()).toBe(false));
    expect(devices.tracks.map(({ label, isStopped }) => [label, isStopped])).toEqual([
      ["Microphone usb", true],
      ["Microphone usb", false],
    ]);
    expect([sources.length, source().length]).toEqual([1, 1]);
    expect(source()[0]?.sent.at(-1)).toEqual({ isMuted: false });
  });

  it("stays muted if the key is released before the device is open", async () => {
    await engine.startTalking(undefined, true);
    await vi.advanceTimersByTimeAsync(MUTED_KEPT_MS.push);
    engine.mute(false, "push");
    engine.mute(true, "push");
    await vi.waitFor(() => expect(devices.tracks).toHaveLength(2));
    await vi.advanceTimersByTimeAsync(0);
    expect([isMuted(), devices.track.enabled]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(MUTED_KEPT_MS.push);
    expect(devices.track.isStopped).toBe(true);
  });

  it("stays open where the browser would ask at each unmute", async () => {
    permission = "prompt";
    await engine.startTalking();
    engine.mute(true);
    await vi.advanceTimersByTimeAsync(10 * MUTED_KEPT_MS.push);
    expect([devices.track.isStopped, devices.track.enabled]).toEqual([false, false]);
    engine.mute(false);
    expect([isMuted(), devices.tracks.length]).toEqual([false, 1]);
  });

  it("stays open if the person unmutes in time", async () => {
    await engine.startTalking();
    engine.mute(true);
    await vi.advanceTimersByTimeAsync(MUTED_KEPT_MS.open - 1);
    engine.mute(false);
    await vi.advanceTimersByTimeAsync(10 * MUTED_KEPT_MS.push);
    expect([devices.tracks.length, devices.track.isStopped]).toEqual([1, false]);
  });

  it("tells the hindrance if it can't open again", async () => {
    await engine.startTalking();
    engine.mute(true);
    await vi.advanceTimersByTimeAsync(MUTED_KEPT_MS.open);
    devices.error = Object.assign(new Error("taken"), { name: "NotReadableError" });
    engine.mute(false);
    await vi.waitFor(() => expect(engine.talk).toEqual({ kind: "hindered", hindrance: "taken" }));
  });
});

describe("the audio session of iOS", () => {
  it("is for playback while listening, and for both while capturing", async () => {
    await engine.listen();
    expect(session.type).toBe("playback");
    await engine.startTalking();
    expect(session.type).toBe("play-and-record");
    engine.mute(true);
    await vi.advanceTimersByTimeAsync(MUTED_KEPT_MS.open);
    expect(session.type, "of a listener").toBe("playback");
    engine.mute(false);
    await vi.waitFor(() => expect(isMuted()).toBe(false));
    expect(session.type).toBe("play-and-record");
    engine.stopTalking();
    expect(session.type).toBe("playback");
  });

  it("lets voices go on after an interruption, by itself or by a press", async () => {
    await engine.listen();
    context().set("interrupted");
    expect(engine.needsGesture, "while all are silent").toBe(false);
    play(true);
    expect(engine.needsGesture).toBe(true);
    session.dispatchEvent(new Event("statechange"));
    expect([context().state, engine.needsGesture]).toEqual(["running", false]);
    context().set("interrupted");
    await engine.resume();
    expect(context().state).toBe("running");
  });

  it("stays as it is while the interruption lasts", async () => {
    await engine.listen();
    context().set("interrupted");
    session.state = "interrupted";
    session.dispatchEvent(new Event("statechange"));
    expect(context().state).toBe("interrupted");
  });

  it("shows an interrupted microphone as muted, and opens another if the person unmutes", async () => {
    await engine.startTalking();
    const [track] = devices.tracks;
    track?.interrupt(true);
    expect(isMuted()).toBe(true);
    track?.interrupt(false);
    expect(isMuted()).toBe(false);
    track?.interrupt(true);
    engine.mute(false);
    await vi.waitFor(() => expect(isMuted()).toBe(false));
    expect(devices.tracks.map(({ isStopped }) => isStopped)).toEqual([true, false]);
  });

  it("leaves a person muted who was muted before the interruption", async () => {
    await engine.startTalking();
    engine.mute(true);
    devices.track.interrupt(true);
    devices.track.interrupt(false);
    expect(isMuted()).toBe(true);
  });
});

describe("a context that nothing uses", () => {
  beforeEach(async () => await engine.listen());

  it("is suspended after a time, and runs again with the first unit, without a hint to press", async () => {
    await vi.advanceTimersByTimeAsync(CONTEXT_IDLE_MS - 1);
    expect(context().state).toBe("running");
    await vi.advanceTimersByTimeAsync(1);
    expect([context().state, engine.needsGesture]).toEqual(["suspended", false]);
    const { resume } = context();
    context().resume = () => Promise.resolve();
    play(true);
    expect(engine.needsGesture, "while it wakes").toBe(false);
    await vi.advanceTimersByTimeAsync(CONTEXT_WAKES_MS);
    expect(engine.needsGesture, "in a browser that wants a press").toBe(true);
    context().resume = resume;
    await engine.resume();
    expect([context().state, engine.needsGesture]).toEqual(["running", false]);
  });

  it("runs again before somebody speaks, when a microphone is on", async () => {
    await vi.advanceTimersByTimeAsync(CONTEXT_IDLE_MS);
    engine.expectsVoices = true;
    expect(context().state).toBe("running");
    await vi.advanceTimersByTimeAsync(2 * CONTEXT_IDLE_MS);
    expect(context().state).toBe("running");
    engine.expectsVoices = false;
    await vi.advanceTimersByTimeAsync(CONTEXT_IDLE_MS);
    expect(context().state).toBe("suspended");
  });

  it("rests on at a press, and while the microphone is muted", async () => {
    await vi.advanceTimersByTimeAsync(CONTEXT_IDLE_MS);
    await engine.resume();
    expect(context().state).toBe("suspended");
    await engine.startTalking();
    expect(context().state).toBe("running");
    await vi.advanceTimersByTimeAsync(2 * CONTEXT_IDLE_MS);
    expect(context().state, "while it captures").toBe("running");
    engine.mute(true);
    await vi.advanceTimersByTimeAsync(MUTED_KEPT_MS.open + CONTEXT_IDLE_MS);
    expect(context().state).toBe("suspended");
    engine.mute(false);
    await vi.waitFor(() => expect(isMuted()).toBe(false));
    expect(context().state).toBe("running");
  });

  it("runs on while a voice plays", async () => {
    play(true);
    await vi.advanceTimersByTimeAsync(2 * CONTEXT_IDLE_MS);
    expect(context().state).toBe("running");
    play(false);
    await vi.advanceTimersByTimeAsync(CONTEXT_IDLE_MS);
    expect(context().state).toBe("suspended");
  });
});
