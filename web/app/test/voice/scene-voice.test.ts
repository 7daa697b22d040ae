import type { Person } from "@stoa/client";
import {
  DEFAULT_FADING,
  type MutedDeviceUse,
  type TalkState,
  type VoiceEngine,
  type VoiceHindrance,
} from "@stoa/voice";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { VOICE_PLACING_MS, VOICE_RETRY_MS } from "../../src/limits.ts";
import { type HeardVoices, SceneVoice, type SceneVoiceOptions } from "../../src/voice/scene-voice.ts";
import { FakeSession, person } from "../support/fake-session.ts";

/** The sound of voices, whose state the test sets. */
class FakeEngine {
  talk: TalkState = { kind: "off" };
  speaking = new Map<string, number>();
  needsGesture = false;
  isPlaying = false;
  expectsVoices = false;
  microphone = undefined;
  space = { update: vi.fn(), fade: vi.fn() };
  readonly calls: string[] = [];
  #listener: () => void = () => undefined;

  follow(listener: () => void): () => void {
    this.#listener = listener;
    return () => undefined;
  }

  set(talk: TalkState): void {
    this.talk = talk;
    this.#listener();
  }

  listen(): Promise<void> {
    this.calls.push("listen");
    return Promise.resolve();
  }

  startTalking(deviceId?: string, isMuted = false): Promise<void> {
    this.calls.push(`talk ${deviceId}`);
    this.set({ kind: "talking", isMuted, level: 127, isSpeech: false });
    return Promise.resolve();
  }

  mute(isMuted: boolean, kept: MutedDeviceUse = "open"): void {
    this.calls.push(`${isMuted ? "mute" : "unmute"} ${kept}`);
    if (this.talk.kind === "talking") this.set({ ...this.talk, isMuted });
  }

  resume(): Promise<void> {
    this.calls.push("resume");
    return Promise.resolve();
  }

  stopTalking(hindrance?: VoiceHindrance): void {
    this.set(hindrance === undefined ? { kind: "off" } : { kind: "hindered", hindrance });
  }

  /** Begins or ends to play voices. */
  play(isPlaying: boolean): void {
    this.isPlaying = isPlaying;
    this.#listener();
  }

  close(): void {
    this.calls.push("close");
  }
}

let session: FakeSession;
let engine: FakeEngine;
let loads: HeardVoices[];
let presses: EventTarget;
let voice: SceneVoice;

const BO: Person = person("bo_1", "Bo");

function begin(options: Partial<SceneVoiceOptions> = {}): SceneVoice {
  voice = new SceneVoice({
    session,
    load: async (_, heard) => {
      loads.push(heard);
      return engine as unknown as VoiceEngine;
    },
    isPhone: false,
    presses,
    mode: "open",
    microphone: undefined,
    ...options,
  });
  return voice;
}

const settled = () => vi.waitFor(() => expect(loads.length).toBeGreaterThan(0));

beforeEach(() => {
  [session, engine, loads, presses] = [new FakeSession(), new FakeEngine(), [], new EventTarget()];
});

afterEach(() => voice.close());

describe("the voices of a visit", () => {
  it("load no script for a person alone, or in a scene without voice", async () => {
    session.motion.onFlowRights({ speak: true, hear: true });
    begin();
    await Promise.resolve();
    expect(loads).toEqual([]);
    voice.close();
    session.motion.onFlowRights(null);
    session.people.set("bo_1", BO);
    begin();
    await Promise.resolve();
    expect([loads, voice.rights]).toEqual([[], null]);
  });

  it("are heard once another person is there, fewer on a phone", async () => {
    session.people.set("bo_1", BO);
    begin({ isPhone: true });
    session.motion.onFlowRights({ speak: false, hear: true });
    await vi.waitFor(() => expect(engine.calls).toContain("listen"));
    expect(loads).toEqual([{ hears: 6, hrtfVoices: 0 }]);
  });

  it("start, mute and unmute the own voice by one button, and tell people whether it is on", async () => {
    session.motion.onFlowRights({ speak: true, hear: true });
    begin({ microphone: "usb" });
    voice.toggle();
    expect(voice.talk.kind).toBe("starting");
    await vi.waitFor(() => expect(engine.calls).toEqual(["talk usb"]));
    voice.toggle();
    voice.toggle();
    expect(engine.calls).toEqual(["talk usb", "mute open", "unmute open"]);
    voice.stopTalking();
    expect(session.asked).toEqual([true, false, true, false].map((hasAudio) => ["looks", { hasAudio }]));
  });

  it("start with the microphone that was used before", async () => {
    session.motion.onFlowRights({ speak: true, hear: true });
    begin({ microphone: "usb" });
    await voice.startTalking("head");
    voice.stopTalking();
    voice.toggle();
    await vi.waitFor(() => expect(engine.calls).toEqual(["talk head", "talk head"]));
  });

  it("are heard while the key is held in the mode for that", async () => {
    session.motion.onFlowRights({ speak: true, hear: true });
    begin({ mode: "push" });
    voice.toggle();
    await vi.waitFor(() => expect(voice.talk).toMatchObject({ kind: "talking", isMuted: true }));
    voice.hold(true);
    voice.hold(true);
    voice.hold(false);
    voice.hold(false);
    expect(engine.calls).toEqual(["talk undefined", "unmute push", "mute push"]);
    voice.mode = "open";
    voice.hold(false);
    expect(engine.calls.slice(3)).toEqual(["unmute open"]);
  });

  it("mute again when the key is released before the microphone is open, or after the menu of VR unmuted", async () => {
    session.motion.onFlowRights({ speak: true, hear: true });
    begin({ mode: "push" });
    await voice.startTalking();
    const { mute } = engine;
    engine.mute = (isMuted, kept) => void engine.calls.push(`${isMuted ? "mute" : "unmute"} ${kept} later`);
    voice.hold(true);
    voice.hold(false);
    expect(engine.calls.slice(1)).toEqual(["unmute push later", "mute push later"]);
    engine.mute = mute;
    voice.toggle();
    voice.hold(false);
    expect(engine.calls.slice(3)).toEqual(["unmute push", "mute push"]);
  });

  it("end the own voice once this person may not speak any more", async () => {
    session.motion.onFlowRights({ speak: true, hear: true });
    begin();
    await voice.startTalking();
    session.motion.onFlowRights({ speak: false, hear: true });
    expect(voice.talk).toEqual({ kind: "hindered", hindrance: "forbidden" });
    session.motion.onFlowRights({ speak: true, hear: true });
    await voice.startTalking();
    session.motion.onFlowRights(null);
    expect(voice.talk).toEqual({ kind: "hindered", hindrance: "forbidden" });
  });

  it("open no microphone if the right to speak ends while the script loads", async () => {
    session.motion.onFlowRights({ speak: true, hear: true });
    begin();
    const starting = voice.startTalking();
    session.motion.onFlowRights(null);
    await starting;
    expect(voice.talk).toEqual({ kind: "hindered", hindrance: "forbidden" });
    expect(engine.calls).toEqual([]);
  });

  it("expect others to speak while a microphone of one of them is on", async () => {
    session.motion.onFlowRights({ speak: true, hear: true });
    session.people.set("bo_1", { ...BO, hasAudio: true });
    begin();
    await vi.waitFor(() => expect(engine.expectsVoices).toBe(true));
    session.tell("person", { idTag: "cy_1", person: { ...BO, idTag: "cy_1", hasAudio: true } });
    session.tell("person", { idTag: "bo_1", person: { ...BO, hasAudio: false } });
    expect(engine.expectsVoices, "of another person").toBe(true);
    session.tell("person", { idTag: "cy_1", person: null });
    expect(engine.expectsVoices).toBe(false);
    session.tell("reset", undefined);
    expect(engine.expectsVoices, "as after a reconnection").toBe(true);
  });

  it("report a script that doesn't load, and load it at the next press", async () => {
    session.motion.onFlowRights({ speak: true, hear: true });
    let fails = true;
    begin({
      load: async (_, heard) => {
        loads.push(heard);
        if (fails) throw new Error("offline");
        return engine as unknown as VoiceEngine;
      },
    });
    voice.toggle();
    await vi.waitFor(() => expect(voice.talk).toEqual({ kind: "hindered", hindrance: "codec" }));
    fails = false;
    voice.toggle();
    await vi.waitFor(() => expect(voice.talk.kind).toBe("talking"));
  });

  it("are connected once, however often people move, and again some time after a failure", async () => {
    vi.useFakeTimers();
    session.motion.onFlowRights({ speak: true, hear: true });
    session.people.set("bo_1", BO);
    let fails = true;
    begin({
      load: async (_, heard) => {
        loads.push(heard);
        if (fails) throw new Error("offline");
        return engine as unknown as VoiceEngine;
      },
    });
    const moves = async () => {
      for (let move = 0; move < 5; move += 1) {
        session.tell("person", { idTag: "bo_1", person: BO });
        await vi.advanceTimersByTimeAsync(0);
      }
    };
    await moves();
    expect(loads).toHaveLength(1);
    fails = false;
    await vi.advanceTimersByTimeAsync(VOICE_RETRY_MS);
    await moves();
    expect([loads.length, engine.calls]).toEqual([2, ["listen"]]);
    vi.useRealTimers();
  });

  it("resume at a press, and follow the heads of the view while some are heard", async () => {
    vi.useFakeTimers();
    session.people.set("bo_1", BO);
    session.motion.onFlowRights({ speak: true, hear: true });
    begin();
    await vi.advanceTimersByTimeAsync(0);
    const heads = { own: undefined, positionOf: () => undefined, isHidden: () => false };
    voice.heads = () => heads;
    await vi.advanceTimersByTimeAsync(3 * VOICE_PLACING_MS);
    expect(engine.space.update, "while all are silent").not.toHaveBeenCalled();
    engine.play(true);
    expect(engine.space.update, "at once").toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(3 * VOICE_PLACING_MS);
    expect(engine.space.update.mock.calls).toEqual(Array.from({ length: 4 }, () => [heads]));
    engine.play(false);
    await vi.advanceTimersByTimeAsync(3 * VOICE_PLACING_MS);
    expect(engine.space.update).toHaveBeenCalledTimes(4);
    presses.dispatchEvent(new Event("pointerdown"));
    expect(engine.calls).toContain("resume");
    vi.useRealTimers();
  });

  it("fade by the scene's options, from the first voice on and after each change", async () => {
    session.people.set("bo_1", BO);
    session.motion.onFlowRights({ speak: true, hear: true });
    begin();
    await vi.waitFor(() => expect(engine.space.fade).toHaveBeenLastCalledWith(DEFAULT_FADING));
    const put = (volume: number) =>
      session.objects.set("scene-options", {
        objectId: "scene-options",
        type: "scene-options",
        attributes: { "scene-options": { volume } },
        persist: true,
      });
    const change = (objectId: string) =>
      session.tell("object", { objectId, object: session.objects.get(objectId) ?? null, changed: ["scene-options"] });
    put(0.5);
    change("lamp");
    expect(engine.space.fade, "another object").toHaveBeenCalledTimes(1);
    change("scene-options");
    expect(engine.space.fade).toHaveBeenLastCalledWith({ ...DEFAULT_FADING, volume: 0.5 });
    put(0.25);
    session.tell("reset", undefined);
    expect(engine.space.fade).toHaveBeenLastCalledWith({ ...DEFAULT_FADING, volume: 0.25 });
  });

  it("end with the visit", async () => {
    session.people.set("bo_1", BO);
    session.motion.onFlowRights({ speak: true, hear: true });
    begin();
    await settled();
    voice.close();
    await vi.waitFor(() => expect(engine.calls).toContain("close"));
    presses.dispatchEvent(new Event("pointerdown"));
    expect(engine.calls).not.toContain("resume");
  });
});
