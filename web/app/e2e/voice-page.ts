// A person's page with a voice: a file as microphone, and a tap on the sound that the page plays.
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launch, openPage } from "./browser.ts";
import { HTTP } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";
import { texts } from "./texts.ts";

const SPEECH = join(import.meta.dirname, "../lab/speech");

/** Tap of a page: measured loudness, as root mean square, each tenth of a second, and that of the last 85 ms. */
declare const voiceTap: {
  readonly loudness: number[];
  readonly now: () => number;
  /** The last node before the loudspeaker. */
  output: AudioNode | undefined;
};
/** The tracks of all microphones that a page opened. Those opened next hear the page's output with this gain. */
declare const microphones: { readonly tracks: MediaStreamTrack[]; echoGain: number };

/** Runs in a page before its scripts: notes the tracks of microphones. */
function noteMicrophones(): void {
  const noted: typeof microphones = { tracks: [], echoGain: 0 };
  Object.assign(globalThis, { microphones: noted });
  const devices = navigator.mediaDevices;
  const open = devices.getUserMedia.bind(devices);
  /** A microphone that hears nothing but the page's loudspeaker. */
  const echo = (output: AudioNode): MediaStream => {
    const { context } = output;
    const room = (context as AudioContext).createMediaStreamDestination();
    const gain = context.createGain();
    gain.gain.value = noted.echoGain;
    output.connect(gain).connect(room);
    return room.stream;
  };
  devices.getUserMedia = async (constraints) => {
    const { output } = voiceTap;
    const stream = noted.echoGain > 0 && output !== undefined ? echo(output) : await open(constraints);
    noted.tracks.push(...stream.getTracks());
    return stream;
  };
}

/** Runs in a page before its scripts: measures all sound that goes to the loudspeaker. */
export function tapOutput(): void {
  const loudness: number[] = [];
  const analysers: AnalyserNode[] = [];
  const samples = new Float32Array(4_096);
  const loudnessAt = (analyser: AnalyserNode) => {
    analyser.getFloatTimeDomainData(samples);
    return Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length);
  };
  const now = () => Math.max(0, ...analysers.map(loudnessAt));
  const tap: typeof voiceTap = { loudness, now, output: undefined };
  Object.assign(globalThis, { voiceTap: tap });
  setInterval(() => loudness.push(now()), 100);
  const connect = AudioNode.prototype.connect as (this: AudioNode, ...to: unknown[]) => AudioNode;
  AudioNode.prototype.connect = function (this: AudioNode, ...to: unknown[]) {
    if (to[0] instanceof AudioDestinationNode) {
      const analyser = this.context.createAnalyser();
      analyser.fftSize = samples.length;
      connect.call(this, analyser);
      analysers.push(analyser);
      tap.output = this;
    }
    return connect.apply(this, to);
  } as typeof AudioNode.prototype.connect;
}

/** One person with a browser of its own, since a fake microphone belongs to a whole browser. */
export class VoicePage {
  readonly browser: Browser;
  readonly page: Page;
  readonly errors: string[];

  private constructor(browser: Browser, page: Page, errors: string[]) {
    [this.browser, this.page, this.errors] = [browser, page, errors];
  }

  /** Starts a browser whose microphone hears a file of `lab/speech/` again and again. */
  static async open(voice: string, flags: readonly string[] = []): Promise<VoicePage> {
    const browser = await launch([
      "--autoplay-policy=no-user-gesture-required",
      "--use-fake-ui-for-media-stream",
      "--use-fake-device-for-media-stream",
      `--use-file-for-fake-audio-capture=${join(SPEECH, voice)}`,
      ...flags,
    ]);
    const { page, errors } = await openPage(browser, { permissions: ["microphone"] });
    await page.addInitScript(tapOutput);
    await page.addInitScript(noteMicrophones);
    return new VoicePage(browser, page, errors);
  }

  /** Enters the 3D view of a scene. */
  enter(scene: string, name: string): Promise<ScenePage> {
    return ScenePage.enterOn({ page: this.page, errors: this.errors }, scene, name);
  }

  /** Enters the text view of a scene with voice. */
  async enterText(scene: string, name: string): Promise<void> {
    await this.page.goto(`${HTTP}/${scene}?view=text`);
    await this.page.getByLabel(texts.shared.nameOthersSee).fill(name);
    await this.page.getByRole("button", { name: texts.enter.asGuest }).click();
    await this.page.getByRole("button", { name: texts.voice.talk, exact: true }).waitFor();
  }

  /** Presses *Talk*. */
  async talk(): Promise<void> {
    await this.page.getByRole("button", { name: texts.voice.talk, exact: true }).click();
    await this.page.getByRole("button", { name: texts.voice.mute, exact: true }).waitFor();
  }

  /** Lets the next microphone hear nothing but the page's loudspeaker, with this gain. */
  async hearItself(gain: number): Promise<void> {
    await this.page.evaluate((gain) => {
      microphones.echoGain = gain;
    }, gain);
  }

  /** Whether the page records. */
  records(): Promise<boolean> {
    return this.page.evaluate(() => microphones.tracks.some(({ readyState }) => readyState === "live"));
  }

  /** Forgets the loudness so far. */
  async forget(): Promise<void> {
    await this.page.evaluate(() => {
      voiceTap.loudness.length = 0;
    });
  }

  /** The loudness of the last second: 0 for silence. */
  loudness(): Promise<number> {
    return this.page.evaluate(() => Math.max(0, ...voiceTap.loudness.slice(-10)));
  }

  /** Blocks the page for longer than any sound waits, and returns the loudness at the end of that. */
  loudnessAfterBlock(): Promise<number> {
    return this.page.evaluate(() => {
      const until = performance.now() + 1_500;
      while (performance.now() < until);
      return voiceTap.now();
    });
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}
