/**
 * Measures the delay of a voice from the microphone's track to a tap of the output, on the motion plane and beside it
 * by a bare RTCPeerConnection between the same pages, in turns. Prints one JSON object. Started by `stoa-lab voice`.
 *
 *     node voice-delay.mjs --url http://localhost:8080 --scene public/lobby --speech speech/harbour.wav
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { quantile } from "./browser.mjs";
import { DELAY_MS_MAX, delaysBetween } from "./sound.mjs";
import {
  clearRecordings,
  connectReference,
  gathering,
  leaveCoreToBrowsers,
  mute,
  muteReference,
  openVoicePage,
  recordingsOf,
  recordMicrophone,
  talk,
} from "./voice-pages.mjs";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8080" },
    scene: { type: "string", default: "public/lobby" },
    speech: { type: "string", default: "speech/harbour.wav" },
    /** The speaker's view: `text`, or `3d` for a page in which the speaker walks. */
    view: { type: "string", default: "text" },
    /** Pairs that count, of at most `most`. A pair whose reference took longer than `void-ms` doesn't. */
    pairs: { type: "string", default: "11" },
    most: { type: "string", default: "40" },
    "void-ms": { type: "string", default: "70" },
    /** Seconds of each half of a pair. */
    seconds: { type: "string", default: "4" },
  },
});

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Time after a change of the path before its delay counts. */
const SETTLED_MS = 1_000;
/** Windows that a half needs. An own half with fewer counts as the longest delay, a reference with fewer is void. */
const WINDOWS_MIN = 4;
/** Time of walking in one direction. */
const LEG_MS = 1_500;

/** Delays of the path that is on: windows of some seconds. */
async function half(speaker, listener, name) {
  await pause(SETTLED_MS);
  await Promise.all([clearRecordings(speaker), clearRecordings(listener)]);
  await pause(1_000 * Number(values.seconds));
  const [said, heard] = await Promise.all([recordingsOf(speaker), recordingsOf(listener)]);
  return delaysBetween(said.microphone, heard[name]);
}

/** The listener's outputs that play. */
const playoutOf = ({ page }) =>
  page.evaluate(() => document.querySelector("stoa-scene").voice.slots.filter(({ isActive }) => isActive));

async function measure(speaker, listener) {
  await talk(speaker);
  await listener.page.waitForFunction(() => globalThis.recordings.output !== undefined);
  await connectReference(speaker, listener);
  await recordMicrophone(speaker);
  const pairs = [];
  const counted = () => pairs.filter(({ reference_ms }) => reference_ms <= Number(values["void-ms"]));
  const medianOf = (delays) => (delays.length < WINDOWS_MIN ? DELAY_MS_MAX : quantile(delays, 0.5));
  while (counted().length < Number(values.pairs) && pairs.length < Number(values.most)) {
    await Promise.all([mute(speaker, true), muteReference(speaker, false)]);
    const reference = await half(speaker, listener, "reference");
    await Promise.all([muteReference(speaker, true), mute(speaker, false)]);
    const own = await half(speaker, listener, "output");
    const reference_ms = medianOf(reference);
    const [{ waitedMs, targetMs } = {}] = await playoutOf(listener);
    pairs.push({ reference_ms, own_ms: medianOf(own), waited_ms: waitedMs, target_ms: targetMs, windows_ms: own });
  }
  const differences = counted().map(({ own_ms, reference_ms }) => own_ms - reference_ms);
  const windows = counted().flatMap(({ windows_ms, reference_ms }) => windows_ms.map((one) => one - reference_ms));
  return {
    counted: differences.length,
    difference_ms: quantile(differences, 0.5),
    difference_p95_ms: quantile(windows, 0.95),
    pairs: pairs.map(({ windows_ms: _, ...pair }) => pair),
  };
}

/** Walks ahead and back in the 3D view until the returned function is called. */
function walk({ page }) {
  let [key, isOver] = ["w", false];
  const walking = (async () => {
    while (!isOver) {
      await page.keyboard.down(key);
      await pause(LEG_MS);
      await page.keyboard.up(key);
      key = key === "w" ? "s" : "w";
    }
  })();
  return async () => {
    isOver = true;
    await walking;
  };
}

const open = (name, view) => {
  const { url, scene, speech } = values;
  const file = resolve(import.meta.dirname, speech);
  return openVoicePage({ url, scene, name, file, view, probes: [gathering] });
};
const [speaker, listener] = await Promise.all([open("Ada", values.view), open("Bo", "text")]);
try {
  leaveCoreToBrowsers();
  const stop = values.view === "3d" ? walk(speaker) : async () => undefined;
  const found = await measure(speaker, listener).finally(stop);
  const errors = [...speaker.errors, ...listener.errors];
  process.stdout.write(`${JSON.stringify({ ...found, errors, browser: speaker.browser.version() })}\n`);
} finally {
  await Promise.all([speaker.browser.close(), listener.browser.close()]);
}
