/**
 * Measures a voice over a bad path, on the motion plane and by a bare RTCPeerConnection in turns, through the same
 * relay. Prints one JSON object. Started by `stoa-lab voice`.
 *
 *     node lossy.mjs --url http://localhost:8080 --scene public/lobby --direction up --udp-port 8443 --relay-core 0
 */
import { networkInterfaces } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { countSockets, openedSockets, throughProxy } from "../motion-worker.mjs";
import { delaysBetween } from "../sound.mjs";
import { quantile } from "../statistics.mjs";
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
} from "../voice-pages.mjs";
import { estoiOf } from "./intelligibility.mjs";
import { DatagramRelay } from "./relay.mjs";
import { heardSentences, sentenceStarts } from "./sentences.mjs";
import { readWav } from "./wav.mjs";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8080" },
    scene: { type: "string", default: "public/lobby" },
    speech: { type: "string", default: "../speech/harbour.wav" },
    /** `up`: from the speaker to the server is bad. `down`: from the server to the listener. */
    direction: { type: "string", default: "up" },
    /** The server's port for WebTransport, and the core of the relay. */
    "udp-port": { type: "string" },
    "relay-core": { type: "string", default: "0" },
    turns: { type: "string", default: "5" },
    /** Seconds of each half of a turn. */
    seconds: { type: "string", default: "20" },
  },
});

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** Time after a change before sound counts: playout adapts to the path. */
const SETTLED_MS = 4_000;
/** Least datagrams a second in the bad direction: a voice has 50, and none during pauses. */
const DATAGRAMS_PER_S_MIN = 20;

/** An address of this machine that peer connections use: they have no loopback candidates. */
function ownAddress() {
  const all = Object.values(networkInterfaces()).flat();
  const own = all.find(({ family, internal }) => family === "IPv4" && !internal);
  if (own === undefined) throw new Error("the reference needs a network interface with an IPv4 address");
  return own.address;
}

/** Replaces the candidates of an offer or answer by one: a port of the relay. */
function candidateAt(port) {
  const candidate = `a=candidate:1 1 udp 2122260223 ${ownAddress()} ${port} typ host`;
  return ({ type, sdp }) => {
    const lines = sdp.split("\r\n");
    const first = lines.findIndex((line) => line.startsWith("a=candidate:"));
    if (first < 0) throw new Error(`the ${type} has no candidates`);
    const others = lines.toSpliced(first, 1, candidate);
    return { type, sdp: others.filter((line, at) => at === first || !line.startsWith("a=candidate:")).join("\r\n") };
  };
}

/** Connects the reference through a leg; fails if the pages use another path. */
async function connectThrough({ ports }, speaker, listener) {
  // The answer tells the speaker to send to the leg's near end, and the offer the listener to its far end.
  const candidates = { offer: candidateAt(ports.far), answer: candidateAt(ports.near) };
  await connectReference(speaker, listener, (description, kind) => candidates[kind](description));
  for (const [page, port] of [
    [speaker, ports.near],
    [listener, ports.far],
  ]) {
    const remote = await remoteCandidateOf(page);
    if (remote?.port !== port) throw new Error(`the reference uses ${JSON.stringify(remote)}, not port ${port}`);
  }
}

function remoteCandidateOf({ page }) {
  return page.evaluate(async () => {
    const stats = await globalThis.peer.getStats();
    const pairId = [...stats.values()].find(({ type }) => type === "transport")?.selectedCandidatePairId;
    const { address, port, candidateType } = stats.get(stats.get(pairId)?.remoteCandidateId) ?? {};
    return { address, port, candidateType };
  });
}

function medianDelay(microphone, heard) {
  const delays = delaysBetween(microphone, heard);
  if (delays.length === 0) throw new Error("nothing was heard");
  return quantile(delays, 0.5);
}

/** One path of a voice: a leg of the relay with its bad end, and the name of its recording. */
class VoicePath {
  constructor({ leg, end, recording, setMuted }) {
    Object.assign(this, { leg, end, recording, setMuted, sentences: [] });
  }

  /** Sound of this path alone, over a path that is bad by a seed, or good without one. */
  async measure({ speaker, listener }, sentence, seed) {
    await this.leg.impair(this.end, seed);
    await pause(SETTLED_MS);
    await Promise.all([clearRecordings(speaker), clearRecordings(listener)]);
    const before = (await this.leg.counts())[this.end];
    await pause(1_000 * Number(values.seconds));
    const after = (await this.leg.counts())[this.end];
    const [{ microphone }, { [this.recording]: heard }] = await Promise.all([speaker, listener].map(recordingsOf));
    const datagrams = after.arrived - before.arrived;
    if (datagrams < DATAGRAMS_PER_S_MIN * Number(values.seconds))
      throw new Error(`only ${datagrams} datagrams of ${this.recording} passed the relay`);
    const sentences = heardSentences(sentence, sentenceStarts(sentence, microphone), heard);
    const estoi = await estoiOf(sentences, heard.rateHz);
    return {
      estoi: estoi.reduce((sum, one) => sum + one, 0) / estoi.length,
      sentences: estoi.length,
      delay_ms: medianDelay(microphone, heard),
      datagrams,
      lost: after.lost - before.lost,
    };
  }
}

/** Measures both paths in turns: first over a good path, then over bad ones. */
async function measure(pages, paths, sentence) {
  const turns = [];
  for (let turn = 0; turn <= Number(values.turns); turn += 1) {
    const found = {};
    for (const [name, path] of Object.entries(paths)) {
      const others = Object.values(paths).filter((other) => other !== path);
      await Promise.all([path.setMuted(false), ...others.map((other) => other.setMuted(true))]);
      found[name] = await path.measure(pages, sentence, turn === 0 ? null : turn);
    }
    process.stderr.write(`    ${values.direction}, turn ${turn}: ${JSON.stringify(found)}\n`);
    turns.push(found);
  }
  const [good, ...bad] = turns;
  const ratioOf = (key) =>
    quantile(
      bad.map(({ own, reference }) => own[key] / reference[key]),
      0.5,
    );
  return { estoi: ratioOf("estoi"), delay: ratioOf("delay_ms"), good, turns: bad };
}

/** Opens both pages; the one at the bad leg reaches the server through it. */
async function openPages(leg) {
  const { url, scene, speech, direction } = values;
  const file = resolve(import.meta.dirname, speech);
  const [bad, good] = [
    { workerProbes: [throughProxy, countSockets], given: String(leg.ports.near) },
    { workerProbes: [countSockets] },
  ];
  const open = (name, probed) => openVoicePage({ url, scene, name, file, probes: [gathering], ...probed });
  const [speaker, listener] = await Promise.all(
    direction === "up" ? [open("Ada", bad), open("Bo", good)] : [open("Ada", good), open("Bo", bad)],
  );
  return { speaker, listener };
}

const sentence = await readWav(resolve(import.meta.dirname, values.speech));
const [same] = await estoiOf([{ clean: sentence.samples, degraded: sentence.samples }], sentence.rateHz);
if (same < 0.999) throw new Error(`a sentence has an intelligibility of ${same} beside itself`);
const relay = new DatagramRelay(Number(values["relay-core"]));
const [own, direct] = [
  await relay.open({ far: { host: "127.0.0.1", port: Number(values["udp-port"]) } }),
  await relay.open(),
];
const pages = await openPages(own);
const { speaker, listener } = pages;
try {
  leaveCoreToBrowsers();
  await talk(speaker);
  await listener.page.waitForFunction(() => globalThis.recordings.output !== undefined);
  await connectThrough(direct, speaker, listener);
  await recordMicrophone(speaker);
  const paths = {
    own: new VoicePath({
      leg: own,
      end: values.direction === "up" ? "near" : "far",
      recording: "output",
      setMuted: (isMuted) => mute(speaker, isMuted),
    }),
    reference: new VoicePath({
      leg: direct,
      end: "near",
      recording: "reference",
      setMuted: (isMuted) => muteReference(speaker, isMuted),
    }),
  };
  const found = await measure(pages, paths, sentence);
  const sockets = await Promise.all([speaker, listener].map(({ page }) => openedSockets(page)));
  if (sockets.some((opened) => opened > 0)) throw new Error("a voice left the relay: a page opened a WebSocket");
  const errors = [...speaker.errors, ...listener.errors];
  process.stdout.write(`${JSON.stringify({ ...found, errors, browser: speaker.browser.version() })}\n`);
} finally {
  await Promise.all([speaker.browser.close(), listener.browser.close()]);
  relay.close();
}
