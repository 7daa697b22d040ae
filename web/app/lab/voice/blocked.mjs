/**
 * Measures the gaps in a voice while the listener's page is blocked for a part of each second, and without that.
 * Prints one JSON object. Started by `stoa-lab voice`.
 *
 *     node blocked.mjs --url http://localhost:8080 --scene public/lobby
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { delaysBetween } from "../sound.mjs";
import { quantile } from "../statistics.mjs";
import {
  clearRecordings,
  leaveCoreToBrowsers,
  openVoicePage,
  recordingsOf,
  recordMicrophone,
  talk,
} from "../voice-pages.mjs";
import { gapsIn } from "./gaps.mjs";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8080" },
    scene: { type: "string", default: "public/lobby" },
    speech: { type: "string", default: "../speech/harbour.wav" },
    /** The listener's page is blocked for so many milliseconds of each second. */
    "block-ms": { type: "string", default: "300" },
    /** Turns, each with a free page and a blocked one, and seconds of each half. */
    turns: { type: "string", default: "3" },
    seconds: { type: "string", default: "20" },
  },
});

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const SETTLED_MS = 3_000;

/** Runs in the page before its scripts: blocks it for `blockMs` of each second, and sums `blockedMs`. */
function blocking() {
  globalThis.blockMs = 0;
  globalThis.blockedMs = 0;
  setInterval(() => {
    const from = performance.now();
    while (performance.now() - from < globalThis.blockMs);
    globalThis.blockedMs += performance.now() - from;
  }, 1_000);
}

/** Gaps while the page is blocked for a part of each second. */
async function half({ speaker, listener }, blockMs) {
  await listener.page.evaluate((blockMs) => {
    globalThis.blockMs = blockMs;
  }, blockMs);
  await pause(SETTLED_MS);
  await Promise.all([clearRecordings(speaker), clearRecordings(listener)]);
  const blockedMs = () => listener.page.evaluate(() => globalThis.blockedMs);
  const before = await blockedMs();
  await pause(1_000 * Number(values.seconds));
  const blocked = (await blockedMs()) - before;
  const [{ microphone }, { output }] = await Promise.all([speaker, listener].map(recordingsOf));
  const delayMs = quantile(delaysBetween(microphone, output), 0.5);
  const { voicedMs, gapMs, gaps } = gapsIn(microphone, output, delayMs);
  return { blocked_ms: blocked, delay_ms: delayMs, voiced_ms: voicedMs, gap_ms: gapMs, gaps };
}

async function measure(pages) {
  const [free, blocked] = [[], []];
  for (let turn = 0; turn < Number(values.turns); turn += 1) {
    free.push(await half(pages, 0));
    blocked.push(await half(pages, Number(values["block-ms"])));
    process.stderr.write(`    turn ${turn}: ${JSON.stringify({ free: free.at(-1), blocked: blocked.at(-1) })}\n`);
  }
  const total = (halves, key) => halves.reduce((sum, half) => sum + half[key], 0);
  const shareOf = (halves) => total(halves, "gap_ms") / total(halves, "voiced_ms");
  const blockedShare = total(blocked, "blocked_ms") / (blocked.length * 1_000 * Number(values.seconds));
  return { gaps: shareOf(blocked), gaps_free: shareOf(free), blocked_share: blockedShare, free, blocked };
}

const open = (name, probes) => {
  const { url, scene, speech } = values;
  return openVoicePage({ url, scene, name, file: resolve(import.meta.dirname, speech), probes });
};
const [speaker, listener] = await Promise.all([open("Ada", []), open("Bo", [blocking])]);
try {
  leaveCoreToBrowsers();
  await talk(speaker);
  await listener.page.waitForFunction(() => globalThis.recordings.output !== undefined);
  await recordMicrophone(speaker);
  const found = await measure({ speaker, listener });
  const errors = [...speaker.errors, ...listener.errors];
  process.stdout.write(`${JSON.stringify({ ...found, errors, browser: speaker.browser.version() })}\n`);
} finally {
  await Promise.all([speaker.browser.close(), listener.browser.close()]);
}
