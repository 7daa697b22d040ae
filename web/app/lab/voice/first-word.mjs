/**
 * Measures how much of a word's beginning is heard after a silence of 20 s, while many others speak farther off. The
 * others are not pages. Prints one JSON object. Started by `stoa-lab voice`.
 *
 *     node first-word.mjs --url http://localhost:8080 --scene public/lobby --others 30 --trials 30
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { WAIT_MS } from "../browser.mjs";
import {
  clearRecordings,
  leaveCoreToBrowsers,
  openVoicePage,
  recordingsOf,
  recordMicrophone,
  talk,
} from "../voice-pages.mjs";
import { readWav, writeWav } from "./wav.mjs";
import { beginningHeard, onsetMs, saidWord, spacedWords, voiceBand, wordAt, wordsOf } from "./words.mjs";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8080" },
    scene: { type: "string", default: "public/lobby" },
    /** Files with phrases, whose first words are said. */
    speech: { type: "string", multiple: true, default: ["../speech/harbour.wav", "../speech/morning.wav"] },
    "silence-s": { type: "string", default: "20.5" },
    /** Distance of the speaker in metres. */
    distance: { type: "string", default: "2" },
    /** People who speak meanwhile, and how far they must be. */
    others: { type: "string", default: "30" },
    nearest: { type: "string", default: "5" },
    farthest: { type: "string", default: "15" },
    trials: { type: "string", default: "30" },
  },
});

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Correlation with the microphone's recording from which the beginning of a word counts as heard. */
const HEARD = 0.7;
/** Time from the beginning of a word until all of it was heard. */
const HEARD_BY_MS = 1_500;
/** Recordings begin so long before the next word. */
const LEAD_MS = 3_000;

/** Moves the speaker's head in front of the listener. */
async function placeSpeaker(speaker, listener) {
  const own = await listener.page.evaluate(() => document.querySelector("stoa-scene").voice.heads().own);
  const [x, y, z] = own.position;
  const [i, j, k, w] = own.rotation;
  const distance = Number(values.distance);
  // The listener's −z axis.
  const ahead = [-2 * (i * k + w * j), -2 * (j * k - w * i), -(1 - 2 * (i * i + j * j))];
  const position = [x, y, z].map((axis, at) => axis + distance * ahead[at]);
  const idTag = await speaker.page.evaluate(
    (pose) => {
      const { session } = document.querySelector("stoa-scene");
      session.publishCamera(pose);
      return session.me.idTag;
    },
    { position, rotation: [i, j, k, w] },
  );
  await listener.page.waitForFunction(
    ({ idTag, position }) => {
      const drawn = document.querySelector("stoa-scene").voice.heads().positionOf(idTag);
      return drawn !== undefined && Math.hypot(...drawn.map((axis, at) => axis - position[at])) < 0.05;
    },
    { idTag, position },
    { timeout: WAIT_MS },
  );
  return idTag;
}

/** Distances of all people but the speaker from the listener, in metres. */
function distancesOfOthers({ page }, speaker) {
  return page.evaluate((speaker) => {
    const { session, voice } = document.querySelector("stoa-scene");
    const heads = voice.heads();
    const own = heads.own.position;
    const others = [...session.people.keys()].filter((idTag) => idTag !== speaker);
    const positions = others.map((idTag) => heads.positionOf(idTag)).filter((position) => position !== undefined);
    return positions.map((position) => Math.hypot(...position.map((axis, at) => axis - own[at])));
  }, speaker);
}

/** Waits for the next word and records it. */
async function nextWord(speaker, listener) {
  const begins = () => {
    const { blocks } = globalThis.recordings.microphone;
    return blocks.slice(-50).some(({ samples }) => samples.some((sample) => Math.abs(sample) > 0.01));
  };
  await speaker.page.waitForFunction(begins, undefined, { timeout: WAIT_MS, polling: 100 });
  await pause(HEARD_BY_MS);
  const [{ microphone }, { output }] = await Promise.all([speaker, listener].map(recordingsOf));
  return { microphone, output };
}

/** One word: how much of its beginning was heard, compared with the microphone's recording and with the file. */
async function trial(words, speaker, listener) {
  await Promise.all([clearRecordings(speaker), clearRecordings(listener)]);
  const { microphone, output } = await nextWord(speaker, listener);
  const [captured, heard] = [microphone, output].map(voiceBand);
  const said = saidWord(words, captured, onsetMs(microphone));
  const { correlation, whole, delayMs } = beginningHeard(wordAt(captured, said.atMs), said.atMs, heard);
  const file = beginningHeard(words[said.number], said.atMs, heard).correlation;
  return { word: said.number, said: said.correlation, correlation, whole, file, delay_ms: delayMs };
}

/** The voices that the listener's page plays, those of the others included. */
function activeVoices({ page }) {
  return page.evaluate(() => document.querySelector("stoa-scene").voice.slots.filter((one) => one.isActive).length);
}

async function measure(words, speaker, listener) {
  const idTag = await placeSpeaker(speaker, listener);
  const distances = await distancesOfOthers(listener, idTag);
  const [nearest, farthest] = [Math.min(...distances), Math.max(...distances)];
  if (
    distances.length !== Number(values.others) ||
    nearest < Number(values.nearest) ||
    farthest > Number(values.farthest)
  )
    throw new Error(`${distances.length} others are ${nearest} to ${farthest} m away`);
  const trials = [];
  const inBand = words.map(voiceBand);
  // The first word tells when the others follow.
  await nextWord(speaker, listener);
  while (trials.length < Number(values.trials)) {
    await pause(1_000 * Number(values["silence-s"]) - HEARD_BY_MS - LEAD_MS);
    const active = await activeVoices(listener);
    trials.push({ ...(await trial(inBand, speaker, listener)), active });
    process.stderr.write(`    word ${trials.length}: ${JSON.stringify(trials.at(-1))}\n`);
  }
  const heard = trials.filter(({ correlation }) => correlation >= HEARD).length;
  return { heard, of: trials.length, nearest_m: nearest, farthest_m: farthest, trials };
}

const folder = await mkdtemp(join(tmpdir(), "stoa-lab-words-"));
const file = join(folder, "words.wav");
const words = (await Promise.all(values.speech.map((path) => readWav(resolve(import.meta.dirname, path))))).flatMap(
  wordsOf,
);
await writeWav(file, spacedWords(words, 1_000 * Number(values["silence-s"])));
const open = (name) => openVoicePage({ url: values.url, scene: values.scene, name, file });
const [speaker, listener] = await Promise.all([open("Ada"), open("Bo")]);
try {
  leaveCoreToBrowsers();
  await talk(speaker);
  await listener.page.waitForFunction(() => globalThis.recordings.output !== undefined);
  await recordMicrophone(speaker);
  const found = await measure(words, speaker, listener);
  const errors = [...speaker.errors, ...listener.errors];
  process.stdout.write(`${JSON.stringify({ ...found, errors, browser: speaker.browser.version() })}\n`);
} finally {
  await Promise.all([speaker.browser.close(), listener.browser.close()]);
  await rm(folder, { recursive: true });
}
