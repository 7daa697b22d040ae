// Voices that a loudspeaker plays, as a microphone hears them: through the air, a room and beside its person.
import { beforeAll, describe, expect, it } from "vitest";
import { EchoDetector } from "../../src/echo/echo-detector.ts";
import { seeded } from "../support/random.ts";
import { speech } from "../support/speech.ts";
import { readSpeech } from "../support/wav.ts";

const RATE_HZ = 48_000;
/** Samples that an analyser gives at once. */
const WINDOW = 32_768;
/** The noise of a quiet room: −66 dB. */
const NOISE = 0.0005;

let voice: Float32Array;
let person: Float32Array;

beforeAll(() => {
  [voice, person] = [readSpeech("harbour.wav").map((sample) => 0.3 * sample), readSpeech("morning.wav")];
});

const gainOf = (decibels: number) => 10 ** (decibels / 20);

/** Sound captured by a microphone. */
interface Capture {
  /** Of the played sound; nothing comes back without it. */
  readonly echoDb?: number;
  readonly delayMs?: number;
  /** Of the person beside the microphone, who is silent without it. */
  readonly personDb?: number;
  /** Time from which the person talks, in the person's file. */
  readonly offset?: number;
  readonly rateHz?: number;
  /** Echo of the walls, by delay in samples and gain. */
  readonly walls?: readonly (readonly [number, number])[];
}

function captured(played: Float32Array, capture: Capture, seed = 1): Float32Array {
  const { echoDb, delayMs = 120, personDb, offset = 0, rateHz = RATE_HZ, walls = [] } = capture;
  const [echo, own] = [echoDb, personDb].map((decibels) => (decibels === undefined ? 0 : gainOf(decibels)));
  const delay = Math.round((delayMs * rateHz) / 1_000);
  const random = seeded(seed);
  return played.map((_, at) => {
    const walled = walls.reduce((sum, [after, gain]) => sum + gain * (played[at - delay - after] ?? 0), 0);
    const back = (echo ?? 0) * ((played[at - delay] ?? 0) + walled);
    return back + (own ?? 0) * 0.3 * (person[(at + offset) % person.length] ?? 0) + NOISE * (2 * random() - 1);
  });
}

/** Plays a sound again and again until the detector is sure, at most `windows` times. */
function detect(played: Float32Array, heard: Float32Array, windows = 20, rateHz = RATE_HZ): EchoDetector {
  const detector = new EchoDetector(rateHz);
  const each = Math.floor(played.length / WINDOW);
  for (let window = 0; window < windows && detector.verdict === undefined; window += 1) {
    const from = (window % each) * WINDOW;
    detector.handleWindow(played.subarray(from, from + WINDOW), heard.subarray(from, from + WINDOW));
  }
  return detector;
}

describe("an echo", () => {
  it.each([-6, -15, -25])("of %d dB is found within two windows, with its gain", (echoDb) => {
    const detector = detect(voice, captured(voice, { echoDb }), 2);
    expect(detector.verdict).toBe("echo");
    expect(Math.abs(20 * Math.log10(detector.gain) - echoDb)).toBeLessThan(1);
  });

  it.each([-35, -50, undefined])("of %s dB is none that anyone notices, after two windows", (echoDb) => {
    expect(detect(voice, captured(voice, echoDb === undefined ? {} : { echoDb }), 2).verdict).toBe("none");
  });

  it.each([0, 20, 250])("is found %d ms after it was played", (delayMs) => {
    expect(detect(voice, captured(voice, { echoDb: -15, delayMs }), 2).verdict).toBe("echo");
  });

  it("is found together with that of the walls, and upside down", () => {
    const random = seeded(7);
    const walls = Array.from({ length: 60 }, () => {
      const after = 30 + 4_000 * random();
      return [Math.round(after), (random() - 0.5) * Math.exp(-after / 1_200)] as const;
    });
    const heard = captured(voice, { echoDb: -15, walls });
    expect(detect(voice, heard, 3).verdict).toBe("echo");
    expect(
      detect(
        voice,
        heard.map((sample) => -sample),
        3,
      ).verdict,
    ).toBe("echo");
  });

  it("is found at another rate", () => {
    const slow = voice.filter((_, at) => at % 3 === 0);
    const one = detect(slow, captured(slow, { echoDb: -15, rateHz: 16_000 }), 2, 16_000);
    expect(one.verdict).toBe("echo");
  });

  it("is found while the person talks as loud as the voices, if it takes longer", () => {
    expect(detect(voice, captured(voice, { echoDb: -15, personDb: 0 }), 1).verdict).toBeUndefined();
    expect(detect(voice, captured(voice, { echoDb: -15, personDb: 0 })).verdict).toBe("echo");
  });
});

describe("a person who talks while voices are played", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("isn't taken for an echo, whatever both say: %d", (seed) => {
    const played = seed % 2 === 0 ? voice : speech(3, 1);
    const heard = captured(played, { personDb: 6 * (seed % 3) - 6, offset: 7_919 * seed }, seed);
    expect(detect(played, heard).verdict).toBe("none");
  });

  it("isn't taken for an echo when the person repeats what is played, which no one does at one delay", () => {
    const detector = new EchoDetector(RATE_HZ);
    for (let window = 0; window < 20 && detector.verdict === undefined; window += 1) {
      const heard = captured(voice, { echoDb: -10, delayMs: 13 * window });
      detector.handleWindow(voice.subarray(0, WINDOW), heard.subarray(0, WINDOW));
    }
    expect(detector.verdict).toBe("none");
  });

  it("hides a weak echo no longer than the person talks", () => {
    const talking = captured(voice, { personDb: 0 });
    const silent = captured(voice, {});
    const detector = new EchoDetector(RATE_HZ);
    for (const heard of [talking, talking, talking, silent, silent]) {
      expect(detector.verdict).toBeUndefined();
      detector.handleWindow(voice.subarray(0, WINDOW), heard.subarray(0, WINDOW));
    }
    expect(detector.verdict).toBe("none");
  });
});

it("silence tells nothing about an echo", () => {
  const silence = new Float32Array(4 * WINDOW);
  expect(detect(silence, captured(silence, { personDb: 0 }), 40).verdict).toBeUndefined();
});

it("a microphone that captures digital silence has no echo", () => {
  expect(detect(voice, new Float32Array(voice.length)).verdict).toBe("none");
});
