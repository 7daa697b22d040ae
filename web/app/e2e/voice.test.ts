// Voices: two people talk, in the text view and in the 3D view.
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "./eventually.ts";
import { TestRealm } from "./realm.ts";
import { VoicePage } from "./voice-page.ts";

const SCENE = "public/sandbox";
/** Between the noise of a silent output and a voice at some metres. */
const AUDIBLE = 0.003;

let realm: TestRealm;
let ada: VoicePage;
let bo: VoicePage;

beforeAll(async () => {
  [realm, ada, bo] = await Promise.all([
    TestRealm.start(),
    VoicePage.open("harbour.wav"),
    VoicePage.open("morning.wav"),
  ]);
});

afterAll(async () => {
  await Promise.all([ada?.close(), bo?.close()]);
  await realm?.end();
});

test("two people in the text view talk, and mute", async () => {
  await Promise.all([ada.enterText(SCENE, "Ada"), bo.enterText(SCENE, "Bo")]);
  await ada.talk();
  await eventually("Bo hears Ada", async () => (await bo.loudness()) > AUDIBLE);
  expect([...ada.errors, ...bo.errors]).toEqual([]);
});
