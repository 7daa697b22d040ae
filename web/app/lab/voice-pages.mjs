/**
 * Pages of two people with voices for the lab: each has a browser of its own, as a fake microphone belongs to a whole
 * browser. Recorders tap the microphone's track, the page's output and the reference's track on one clock.
 */
import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";
import { guestForm, WAIT_MS } from "./browser.mjs";
import { probeMotionWorker } from "./motion-worker.mjs";

const FLAGS = [
  "--no-sandbox",
  "--disable-renderer-backgrounding",
  "--disable-background-timer-throttling",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  "--autoplay-policy=no-user-gesture-required",
  "--use-fake-ui-for-media-stream",
  "--use-fake-device-for-media-stream",
];
/** Error of a track's times. A missing block has 10 ms. */
const JITTER_S = 0.005;
/** Samples that a recorder posts at once. */
const BLOCK = 1_024;

/**
 * Runs in a page before its scripts. `recordings` has the recordings by name: blocks of samples with the context's
 * time, and `offsetMs`, the least time from the context's clock to the machine's at which a block was received.
 */
function recorders([block, processor]) {
  const recordings = {};
  globalThis.recordings = recordings;
  const connect = AudioNode.prototype.connect;
  let isRecorder = false;
  /** Records the sound of a node under a name. */
  globalThis.record = async (name, node) => {
    const { context } = node;
    isRecorder = true;
    await context.audioWorklet.addModule(URL.createObjectURL(new Blob([processor], { type: "text/javascript" })));
    const options = { channelCount: 1, channelCountMode: "explicit", processorOptions: { block } };
    const recorder = new AudioWorkletNode(context, "lab-recorder", options);
    const recording = { rateHz: context.sampleRate, blocks: [], offsetMs: Number.POSITIVE_INFINITY };
    recordings[name] = recording;
    recorder.port.onmessage = ({ data }) => {
      const endMs = 1_000 * (data.at + block / context.sampleRate);
      recording.offsetMs = Math.min(recording.offsetMs, performance.timeOrigin + performance.now() - endMs);
      recording.blocks.push(data);
    };
    connect.call(node, recorder);
    // A node that nothing pulls may not run; its output is silent.
    connect.call(recorder, context.destination);
    isRecorder = false;
  };
  /**
   * Records the sound of a track under a name. The source node of an AudioContext has a queue, which stays long after a
   * stall; a track's processor has none.
   */
  globalThis.recordTrack = (name, track) => {
    const reader = new MediaStreamTrackProcessor({ track }).readable.getReader();
    const recording = { rateHz: 0, blocks: [], offsetMs: Number.POSITIVE_INFINITY };
    recordings[name] = recording;
    const read = async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        const { timestamp, duration, numberOfFrames, sampleRate } = next.value;
        const samples = new Float32Array(numberOfFrames);
        next.value.copyTo(samples, { planeIndex: 0, format: "f32-planar" });
        next.value.close();
        recording.rateHz = sampleRate;
        const endMs = (timestamp + duration) / 1_000;
        recording.offsetMs = Math.min(recording.offsetMs, performance.timeOrigin + performance.now() - endMs);
        recording.blocks.push({ at: timestamp / 1_000_000, samples });
      }
    };
    void read();
  };
  // The page's voices go to the loudspeaker through one gain.
  AudioNode.prototype.connect = function (...to) {
    if (to[0] instanceof AudioDestinationNode && this instanceof GainNode && !isRecorder && !recordings.output)
      void globalThis.record("output", this);
    return connect.apply(this, to);
  };
  const devices = navigator.mediaDevices;
  const open = devices?.getUserMedia.bind(devices);
  if (open !== undefined)
    devices.getUserMedia = async (constraints) => {
      const stream = await open(constraints);
      // A copy goes on while the page has muted its own.
      globalThis.microphone = stream.clone();
      return stream;
    };
}

const PROCESSOR = `registerProcessor("lab-recorder", class extends AudioWorkletProcessor {
  constructor({ processorOptions: { block } }) {
    super();
    [this.samples, this.count, this.at] = [new Float32Array(block), 0, 0];
  }
  process([[channel]]) {
    if (this.count === 0) this.at = currentTime;
    if (channel !== undefined) this.samples.set(channel, this.count);
    else this.samples.fill(0, this.count, this.count + 128);
    this.count += 128;
    if (this.count === this.samples.length) {
      this.port.postMessage({ at: this.at, samples: this.samples.slice() });
      this.count = 0;
    }
    return true;
  }
});`;

/** Moves this process to the server's core, which is idle here: comparing recordings must not make their sound late. */
export function leaveCoreToBrowsers() {
  execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", "0", String(process.pid)]);
}

/**
 * Opens a browser whose microphone hears a file again and again, and enters a scene, in the text view or in 3D. `probes`
 * run in the page before its scripts, and `workerProbes` in its motion worker, with `given`. Without `records`, nothing
 * taps the page's sound.
 */
export async function openVoicePage(options) {
  const { url, scene, name, file, view = "text", records = true, probes = [], workerProbes = [], given } = options;
  const args = [...FLAGS, `--use-file-for-fake-audio-capture=${file}`];
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
  const context = await browser.newContext({
    viewport: { width: 480, height: 320 },
    permissions: ["microphone"],
    // The recorder's module is no file of the realm.
    bypassCSP: true,
  });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  if (records) await page.addInitScript(recorders, [BLOCK, PROCESSOR]);
  for (const probe of probes) await page.addInitScript(probe, given);
  if (workerProbes.length > 0) await probeMotionWorker(page, workerProbes, given);
  await page.goto(`${url}/${scene}${view === "text" ? "?view=text" : ""}`);
  const form = guestForm(page);
  await form.name.fill(name);
  await form.button.click();
  await page.locator("[data-talk]").waitFor({ timeout: WAIT_MS });
  return { browser, page, errors };
}

/** Presses *Talk* and waits until the microphone is open. */
export async function talk({ page }) {
  // A page that plays many voices may be too busy for a click to wait until nothing moves.
  await page.locator("[data-talk]").dispatchEvent("click");
  const isTalking = () => document.querySelector("stoa-scene").voice.talk.kind === "talking";
  await page.waitForFunction(isTalking, undefined, { timeout: WAIT_MS });
}

/** Mutes or unmutes the voice on the motion plane. */
export async function mute({ page }, isMuted) {
  await page.evaluate((isMuted) => {
    const { voice } = document.querySelector("stoa-scene");
    if (voice.talk.isMuted !== isMuted) voice.toggle();
  }, isMuted);
}

/**
 * Connects two pages by a bare RTCPeerConnection that sends the first page's microphone, and records what the second
 * one gets as `reference`. `relay` may change the candidates of an offer or answer.
 */
export async function connectReference(from, to, relay = (description) => description) {
  const offer = await from.page.evaluate(async () => {
    const peer = new RTCPeerConnection();
    globalThis.peer = peer;
    for (const track of globalThis.microphone.getAudioTracks()) peer.addTrack(track.clone(), globalThis.microphone);
    await peer.setLocalDescription(await peer.createOffer());
    await globalThis.gathered(peer);
    return peer.localDescription.toJSON();
  });
  const answer = await to.page.evaluate(
    async (offer) => {
      const peer = new RTCPeerConnection();
      globalThis.peer = peer;
      peer.ontrack = async ({ streams: [stream] }) => {
        // Chromium delivers a remote track only while an element plays it.
        globalThis.referenceElement = Object.assign(new Audio(), { srcObject: stream, muted: true });
        await globalThis.referenceElement.play();
        globalThis.recordTrack("reference", stream.getAudioTracks()[0]);
      };
      await peer.setRemoteDescription(offer);
      await peer.setLocalDescription(await peer.createAnswer());
      await globalThis.gathered(peer);
      return peer.localDescription.toJSON();
    },
    relay(offer, "offer"),
  );
  await from.page.evaluate((answer) => globalThis.peer.setRemoteDescription(answer), relay(answer, "answer"));
  await to.page.waitForFunction(() => globalThis.recordings.reference !== undefined, undefined, { timeout: WAIT_MS });
}

/** Runs in a page before its scripts: waits until all candidates of a peer connection are known. */
export function gathering() {
  globalThis.gathered = (peer) =>
    new Promise((resolve) => {
      const look = () => peer.iceGatheringState === "complete" && resolve();
      peer.addEventListener("icegatheringstatechange", look);
      look();
    });
}

/** Lets the reference send sound or silence. */
export async function muteReference({ page }, isMuted) {
  await page.evaluate((isMuted) => {
    for (const { track } of globalThis.peer.getSenders()) track.enabled = !isMuted;
  }, isMuted);
}

/** Records the page's own microphone as `microphone`. */
export async function recordMicrophone({ page }) {
  await page.evaluate(() => globalThis.recordTrack("microphone", globalThis.microphone.getAudioTracks()[0]));
}

/** Forgets what was recorded. */
export async function clearRecordings({ page }) {
  await page.evaluate(() => {
    // A context's clock falls behind the machine's while the page gets no core, so the offset is measured anew.
    for (const recording of Object.values(globalThis.recordings))
      [recording.blocks.length, recording.offsetMs] = [0, Number.POSITIVE_INFINITY];
  });
}

/** A page's recordings by name, each in one piece that begins at `startMs` of the machine's clock. */
export async function recordingsOf({ page }) {
  const raw = await page.evaluate(() => {
    // Numbers as text would keep the core busy, and sound late, for a long time.
    const inBase64 = (samples) => {
      const bytes = new Uint8Array(Int16Array.from(samples, (one) => 32_767 * Math.max(-1, Math.min(one, 1))).buffer);
      return btoa(String.fromCharCode(...bytes));
    };
    const packed = ({ rateHz, offsetMs, blocks }) => {
      return { rateHz, offsetMs, blocks: blocks.map(({ at, samples }) => [at, inBase64(samples)]) };
    };
    return Object.fromEntries(
      Object.entries(globalThis.recordings).map(([name, recording]) => [name, packed(recording)]),
    );
  });
  return Object.fromEntries(Object.entries(raw).map(([name, recording]) => [name, inOnePiece(recording)]));
}

function inOnePiece({ rateHz, offsetMs, blocks: packed }) {
  const blocks = packed.map(([at, text]) => [at, samplesOf(Buffer.from(text, "base64"))]);
  const [[first] = [0]] = blocks;
  const pieces = [];
  let end = 0;
  for (const [at, samples] of blocks) {
    // A block whose time differs by less than `JITTER_S` from the end of the one before follows it.
    const place = Math.round((at - first) * rateHz);
    const from = Math.abs(place - end) < JITTER_S * rateHz ? end : place;
    pieces.push([from, samples]);
    end = Math.max(end, from + samples.length);
  }
  const samples = new Float32Array(end);
  for (const [from, piece] of pieces) samples.set(piece, from);
  return { rateHz, startMs: offsetMs + 1_000 * first, samples };
}

/** Samples of 16 bits, little-endian. */
function samplesOf(bytes) {
  return Float32Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readInt16LE(2 * at) / 32_767);
}
