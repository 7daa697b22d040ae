/**
 * Measures the processor time of a page that plays many voices, above that of the same page in silence. The speakers,
 * who speak and are silent in turns, are not pages. Prints one JSON object. Started by `stoa-lab voice`.
 *
 *     node cores.mjs --url http://localhost:8080 --scene public/lobby --voices 16 --hrtf 8
 */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { WAIT_MS } from "../browser.mjs";
import { quantile } from "../statistics.mjs";
import { openVoicePage } from "../voice-pages.mjs";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8080" },
    scene: { type: "string", default: "public/lobby" },
    view: { type: "string", default: "text" },
    /** Voices that must be active, and those that head-related transfer functions must place. */
    voices: { type: "string", default: "16" },
    hrtf: { type: "string", default: "8" },
    /** Turns, each in silence and then with voices, and seconds of each half. */
    turns: { type: "string", default: "3" },
    seconds: { type: "string", default: "12" },
  },
});

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const SETTLED_MS = 2_000;
/** Ticks a second of the times in `/proc`. */
const TICKS_PER_S = 100;
/** Root mean square above which voices sound. */
const AUDIBLE = 0.003;

/** Runs in the page before its scripts: keeps the panners and the gain of all voices. */
function keepNodes() {
  const panners = [];
  globalThis.panners = panners;
  const create = BaseAudioContext.prototype.createPanner;
  BaseAudioContext.prototype.createPanner = function () {
    const panner = create.call(this);
    panners.push(panner);
    return panner;
  };
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (...to) {
    if (to[0] instanceof AudioDestinationNode && this instanceof GainNode) globalThis.allVoices = this;
    return connect.apply(this, to);
  };
}

/** The processes that make a page's sound: its renderer, and the service that plays it. */
async function soundProcesses(browser) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const named = await Promise.all(processInfo.map(async ({ id, type }) => [id, type, await commandOf(id)]));
  const of = (fulfils) => named.filter(fulfils).map(([id]) => id);
  return {
    renderer: of(([, type]) => type === "renderer"),
    audio: of(([, , command]) => command.includes("audio.mojom.AudioService")),
  };
}

async function commandOf(id) {
  return await readFile(`/proc/${id}/cmdline`, "utf8");
}

/** Processor time of all threads of some processes in seconds. */
async function secondsOf(ids) {
  const times = await Promise.all(
    ids.map(async (id) => {
      const fields = (await readFile(`/proc/${id}/stat`, "utf8")).split(") ")[1].split(" ");
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
    }),
  );
  return times.reduce((sum, one) => sum + one, 0);
}

/** Voices that are active now. */
function activeVoices(page) {
  return page.evaluate(() => document.querySelector("stoa-scene").voice.slots.filter((one) => one.isActive).length);
}

/** Waits until so many voices are active, and measures the cores of each kind of process for some seconds. */
async function half({ browser, page }, voices) {
  const areActive = (voices) =>
    document.querySelector("stoa-scene").voice.slots.filter((one) => one.isActive).length === voices;
  await page.waitForFunction(areActive, voices, { timeout: WAIT_MS, polling: 100 });
  await pause(SETTLED_MS);
  const processes = await soundProcesses(browser);
  const [fromMs, before] = [performance.now(), await timesOf(processes)];
  await pause(1_000 * Number(values.seconds));
  const [toMs, after] = [performance.now(), await timesOf(processes)];
  const active = await activeVoices(page);
  if (active !== voices) throw new Error(`${active} voices were active at the end, not ${voices}`);
  const coresOf = (kind) => (1_000 * (after[kind] - before[kind])) / (toMs - fromMs);
  return { renderer: coresOf("renderer"), audio: coresOf("audio") };
}

async function timesOf({ renderer, audio }) {
  return { renderer: await secondsOf(renderer), audio: await secondsOf(audio) };
}

/** The loudness of all voices together: the highest of some tenths of a second. */
function loudness(page) {
  return page.evaluate(async () => {
    const analyser = globalThis.allVoices.context.createAnalyser();
    globalThis.allVoices.connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    let highest = 0;
    for (let tenth = 0; tenth < 10; tenth += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      analyser.getFloatTimeDomainData(samples);
      highest = Math.max(highest, Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length));
    }
    return highest;
  });
}

async function measure(opened) {
  const turns = [];
  for (let turn = 0; turn < Number(values.turns); turn += 1) {
    const silent = await half(opened, 0);
    const voices = await half(opened, Number(values.voices));
    const above = ["renderer", "audio"].reduce((sum, kind) => sum + voices[kind] - silent[kind], 0);
    turns.push({ silent, voices, above });
    process.stderr.write(`    turn ${turn}: ${JSON.stringify(turns.at(-1))}\n`);
  }
  const loud = await loudness(opened.page);
  if (loud < AUDIBLE) throw new Error(`the voices are not audible: ${loud}`);
  const hrtf = await opened.page.evaluate(
    () => globalThis.panners.filter(({ panningModel }) => panningModel === "HRTF").length,
  );
  if (hrtf < Number(values.hrtf)) throw new Error(`${hrtf} voices have head-related transfer functions`);
  const cores = quantile(
    turns.map(({ above }) => above),
    0.5,
  );
  return { cores, hrtf, loudness: loud, turns };
}

const { url, scene, view } = values;
const file = resolve(import.meta.dirname, "../speech/harbour.wav");
const opened = await openVoicePage({ url, scene, name: "Bo", file, view, records: false, probes: [keepNodes] });
try {
  const found = await measure(opened);
  process.stdout.write(`${JSON.stringify({ ...found, errors: opened.errors, browser: opened.browser.version() })}\n`);
} finally {
  await opened.browser.close();
}
