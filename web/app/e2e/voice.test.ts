// Voices: two people talk, out of reach and back, while UDP is blocked, while the page is hidden, after a restart.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countSockets, openedSockets, probeMotionWorker, throughProxy } from "../lab/motion-worker.mjs";
import { eventually } from "./eventually.ts";
import { PlainTab } from "./plain-tab.ts";
import { HTTP, TestRealm } from "./realm.ts";
import { DATAGRAMS_BY, SeverableProxy } from "./severable-proxy.ts";
import { guest, texts } from "./texts.ts";
import { tapOutput, VoicePage } from "./voice-page.ts";

const SCENE = "public/sandbox";
/** Between the noise of a silent output and a voice at some metres. */
const AUDIBLE = 0.003;
/** Steps in the text view, of a metre each, that lead out of reach of a voice. */
const OUT_OF_REACH = 30;

let realm: TestRealm;
/** A proxy for Bo's datagrams, which it can block. */
let line: SeverableProxy;
let ada: VoicePage;
let bo: VoicePage;

beforeAll(async () => {
  [realm, line, ada, bo] = await Promise.all([
    TestRealm.start(),
    SeverableProxy.open(),
    VoicePage.open("harbour.wav"),
    VoicePage.open("morning.wav"),
  ]);
  // Bo's microphone is captured on the audio thread, as in browsers without track processors; Ada's in a worker.
  await bo.page.addInitScript(() => Reflect.deleteProperty(globalThis, "MediaStreamTrackProcessor"));
  await probeMotionWorker(bo.page, [throughProxy, countSockets], DATAGRAMS_BY);
  await Promise.all([ada.enterText(SCENE, "Ada"), bo.enterText(SCENE, "Bo")]);
});

afterAll(async () => {
  await Promise.all([ada?.close(), bo?.close(), line?.close()]);
  await realm?.end();
});

async function hears(listener: VoicePage, withinMs?: number): Promise<void> {
  await eventually("the voice is heard", async () => (await listener.loudness()) > AUDIBLE, withinMs);
}

async function hearsNothing(listener: VoicePage): Promise<void> {
  await eventually("the voice is silent", async () => (await listener.loudness()) < AUDIBLE / 10);
}

/** Whether a page's list of people shows that a person speaks. */
async function showsSpeaking({ page }: VoicePage, name: string): Promise<void> {
  const entry = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: guest(name) }) });
  await entry.getByRole("img", { name: texts.voice.speaking }).waitFor();
}

describe("two people in the text view", () => {
  test("hear each other by keyboard alone, and see who speaks", async () => {
    await ada.page.keyboard.press("m");
    await ada.page.getByRole("button", { name: texts.voice.mute, exact: true }).waitFor();
    await hears(bo);
    await showsSpeaking(bo, "Ada");
    await bo.page.keyboard.press("m");
    await hears(ada);
    await showsSpeaking(ada, "Bo");
    await ada.page.getByRole("combobox", { name: texts.voice.microphone }).waitFor();
    expect(await ada.page.evaluate(() => "AFRAME" in window)).toBe(false);
  });

  test("mute and unmute, and record nothing while muted", async () => {
    expect(await ada.records(), "negative control").toBe(true);
    await ada.page.keyboard.press("m");
    await hearsNothing(bo);
    await eventually("the microphone is closed", async () => !(await ada.records()));
    await ada.page.getByRole("button", { name: texts.voice.unmute }).click();
    await hears(bo);
  });

  test("hear no voice that is out of reach, until it is back", async () => {
    const { textView: words } = texts;
    for (let step = 0; step < OUT_OF_REACH; step += 1)
      await bo.page.getByRole("button", { name: words.stepBack }).click();
    await Promise.all([hearsNothing(ada), hearsNothing(bo)]);
    for (let step = 0; step < OUT_OF_REACH; step += 1)
      await bo.page.getByRole("button", { name: words.stepAhead }).click();
    await Promise.all([hears(ada), hears(bo)]);
  });

  test("are advised to use headphones if the microphone hears the voices", async () => {
    await ada.page.getByRole("button", { name: texts.voice.stop }).click();
    await ada.hearItself(10 ** (-15 / 20));
    await ada.talk();
    await ada.page.getByText(texts.voice.echo).first().waitFor();
    await ada.page.getByRole("button", { name: texts.voice.stop }).click();
    await ada.page.getByText(texts.voice.echo).first().waitFor({ state: "hidden" });
    await ada.hearItself(0);
    await ada.talk();
  });

  test("hear each other while the page is blocked", async () => {
    // The end of a block may fall into a pause between words.
    await eventually("sound goes on in a blocked page", async () => (await bo.loudnessAfterBlock()) > AUDIBLE);
  });

  test("hear each other while the page is hidden", async () => {
    const hidden = await PlainTab.open(bo.browser);
    await hidden.addInitScript(tapOutput);
    await hidden.goto(HTTP);
    await eventually("the page is open", async () => (await hidden.evaluate("location.origin")) === HTTP);
    await hidden.evaluate(`localStorage.setItem("stoa-name", "Cleo")`);
    await hidden.goto(`${HTTP}/${SCENE}?view=text`);
    const loudness = async () => Number(await hidden.evaluate("Math.max(0, ...voiceTap.loudness.slice(-10))"));
    await eventually("the voice is heard", async () => (await loudness()) > AUDIBLE);
    const front = await PlainTab.open(bo.browser);
    await front.bringToFront();
    await eventually(
      "the page is hidden",
      async () => (await hidden.evaluate("document.visibilityState")) === "hidden",
    );
    await hidden.evaluate("voiceTap.loudness.length = 0");
    await eventually("the voice is still heard", async () => (await loudness()) > AUDIBLE);
    await Promise.all([hidden.close(), front.close()]);
  });

  test("hear each other within three seconds after UDP was blocked in mid-sentence", async () => {
    const before = await openedSockets(bo.page);
    line.blocksDatagrams = true;
    const blockedAt = Date.now();
    await eventually("a WebSocket is open", async () => (await openedSockets(bo.page)) > before);
    await bo.forget();
    await eventually("sound arrives by it", async () => (await bo.loudness()) > AUDIBLE);
    expect(Date.now() - blockedAt).toBeLessThan(3_500);
    line.blocksDatagrams = false;
  });

  test("hear each other after the realm was restarted", async () => {
    await realm.stop();
    await hearsNothing(bo);
    await realm.resume();
    await Promise.all([hears(bo, 60_000), hears(ada, 60_000)]);
    expect([...ada.errors, ...bo.errors]).toEqual([]);
  });
});
