// The check for echo with a fake Web Audio: when it runs, and what follows from it.
import { beforeAll, beforeEach, describe, expect, it, type Mock, vi } from "vitest";
import { DUCK_MARGIN_DB, ECHO_WINDOW_SAMPLES } from "../../src/limits.ts";
import { EchoGuard } from "../../src/sound/echo-guard.ts";
import type { Microphone } from "../../src/sound/microphone.ts";
import type { TalkState } from "../../src/sound/own-voice.ts";
import { FakeAnalyser, FakeContext, FakeNode } from "../support/fake-audio.ts";
import { readSpeech } from "../support/wav.ts";

const WINDOW_S = ECHO_WINDOW_SAMPLES / 48_000;
/** Loudness of the voices after the check: −30 dB. With an echo of −15 dB, the microphone hears them at −45 dB. */
const METERED = 10 ** (-30 / 20);
const STREAM = { id: "own" };

let voice: Float32Array;
let context: FakeContext;
let analysers: FakeAnalyser[];
let duck: Mock<(isDucked: boolean) => void>;
let guard: EchoGuard;
/** Gain from loudspeaker to microphone. */
let gain: number;

beforeAll(() => {
  voice = readSpeech("harbour.wav").map((sample) => 0.3 * sample);
});

beforeEach(() => {
  [context, analysers, duck, gain] = [new FakeContext({}), [], vi.fn(), 10 ** (-15 / 20)];
  const createAnalyser = (): FakeAnalyser => {
    const analyser = new FakeAnalyser();
    analysers.push(analyser);
    return analyser;
  };
  Object.assign(context, { createAnalyser });
  guard = new EchoGuard(context as unknown as AudioContext, { output: new FakeNode() as unknown as AudioNode, duck });
});

const talking = (more = {}): TalkState => ({ kind: "talking", isMuted: false, level: 127, isSpeech: false, ...more });

/** One report, a tenth of a second after the one before. */
function report(state: TalkState = talking(), isPlaying = true, stream: object = STREAM): void {
  context.currentTime += 0.1;
  const at = Math.round(context.currentTime * 48_000) % (voice.length - 2 * ECHO_WINDOW_SAMPLES);
  const played = voice.slice(at + 960, at + 960 + ECHO_WINDOW_SAMPLES);
  const captured = voice.slice(at, at + ECHO_WINDOW_SAMPLES).map((sample) => gain * sample);
  const taps = analysers.filter(({ fftSize }) => fftSize === ECHO_WINDOW_SAMPLES);
  for (const [which, tap] of taps.entries()) tap.sound = which % 2 === 0 ? played : captured;
  for (const meter of analysers.filter((one) => !taps.includes(one))) meter.sound.fill(METERED);
  guard.handle({ state, microphone: { stream } as unknown as Microphone }, isPlaying);
}

/** Reports for some seconds. */
function pass(seconds: number, ...how: Parameters<typeof report>): void {
  for (let tenth = 0; tenth < 10 * seconds; tenth += 1) report(...how);
}

describe("the check for echo", () => {
  it("finds one after two windows in which voices were played", () => {
    pass(WINDOW_S);
    expect(guard.hasEcho).toBe(false);
    pass(2 * WINDOW_S);
    expect(guard.hasEcho).toBe(true);
  });

  it("finds none in a microphone that hears little of the voices, and ends then", () => {
    gain = 10 ** (-50 / 20);
    pass(3 * WINDOW_S);
    const taps = analysers.length;
    gain = 1;
    pass(3 * WINDOW_S);
    expect([guard.hasEcho, analysers.length]).toEqual([false, taps]);
    expect(
      context.sources.every(({ isConnected }) => !isConnected),
      "of the microphone",
    ).toBe(true);
  });

  it("waits while nobody else speaks, and while the microphone is muted", () => {
    pass(5, talking(), false);
    pass(5, talking({ isMuted: true }));
    expect([guard.hasEcho, analysers.length]).toEqual([false, 0]);
  });

  it("reads no window across a pause", () => {
    for (let turn = 0; turn < 8; turn += 1) {
      pass(0.6);
      context.currentTime += 1;
    }
    expect(guard.hasEcho).toBe(false);
  });

  it("is made once for each start of talking", () => {
    pass(3 * WINDOW_S);
    report(talking({ isMuted: true }));
    expect(guard.hasEcho).toBe(true);
    report({ kind: "starting" });
    expect(guard.hasEcho, "of another device").toBe(false);
    pass(3 * WINDOW_S);
    expect(guard.hasEcho).toBe(true);
    report({ kind: "off" });
    expect(guard.hasEcho).toBe(false);
  });

  it("continues with the same device after it was opened again", () => {
    pass(1.5 * WINDOW_S);
    pass(1.5 * WINDOW_S, talking(), true, { id: "again" });
    expect(guard.hasEcho).toBe(true);
  });

  it("is left out where the browser can't connect the microphone", () => {
    FakeContext.mixesRates = false;
    pass(3 * WINDOW_S);
    FakeContext.mixesRates = true;
    expect(guard.hasEcho).toBe(false);
  });
});

describe("voices while a person with echo talks", () => {
  const isDucked = () => duck.mock.lastCall?.[0];
  /** Reports speech of a loudness in −dBov. */
  const say = (level: number, isSpeech = true) => report(talking({ level, isSpeech }));

  it("are quieter, until the person is silent", () => {
    pass(3 * WINDOW_S);
    say(45 - DUCK_MARGIN_DB - 1);
    expect(isDucked()).toBe(true);
    say(20, false);
    expect(isDucked()).toBe(false);
    say(20);
    expect(isDucked()).toBe(true);
    report(talking({ isMuted: true }));
    expect(isDucked()).toBe(false);
  });

  it("are as loud as before if all that the microphone hears is their echo", () => {
    pass(3 * WINDOW_S);
    say(45 - DUCK_MARGIN_DB + 1);
    expect(isDucked()).toBe(false);
  });

  it("are as loud as before without echo", () => {
    gain = 10 ** (-50 / 20);
    pass(3 * WINDOW_S);
    say(20);
    expect(isDucked()).toBe(false);
  });
});
