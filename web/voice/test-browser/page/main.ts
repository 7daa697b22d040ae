/** The page under test: renders placed voices without a sound card. */
import type { Vector3 } from "@stoa/client";
import { DEFAULT_FADING } from "../../src/sound/loudness.ts";
import { PlacedVoice } from "../../src/sound/placed-voice.ts";

declare global {
  /** The test's access to the page. */
  var underTest: Readonly<Record<string, unknown>>;
}

const RATE_HZ = 48_000;

/** A voice to render, and the changes of its panner by time in seconds. */
interface Rendering {
  readonly samples: readonly number[];
  readonly position: Vector3;
  readonly usesHrtf: boolean;
  readonly changes?: readonly (readonly [atS: number, usesHrtf: boolean])[];
}

/** Both channels of a voice as the listener at the origin hears it. */
async function render({ samples, position, usesHrtf, changes = [] }: Rendering): Promise<number[][]> {
  const context = new OfflineAudioContext(2, samples.length, RATE_HZ);
  const buffer = context.createBuffer(1, samples.length, RATE_HZ);
  buffer.copyToChannel(Float32Array.from(samples), 0);
  const source = new AudioBufferSourceNode(context, { buffer });
  const voice = new PlacedVoice(context, context.destination, DEFAULT_FADING);
  voice.place(position);
  voice.useHrtf(usesHrtf);
  source.connect(voice.input);
  source.start();
  for (const [atS, uses] of changes)
    void context.suspend(atS).then(() => {
      voice.useHrtf(uses);
      void context.resume();
    });
  // A panner is disconnected some time after its fade. Rendering has a time of its own, in which that is too early.
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (() => 0) as unknown as typeof setTimeout;
  const rendered = await context.startRendering();
  globalThis.setTimeout = setTimeout;
  return [0, 1].map((channel) => [...rendered.getChannelData(channel)]);
}

/** The greatest steps between samples: of the voice, and of it as it is heard, with and without changes. */
async function steps(
  rendering: Rendering,
): Promise<{ readonly own: number; readonly heard: number; readonly still: number }> {
  const [heard, still] = [await render(rendering), await render({ ...rendering, changes: [] })];
  const greatest = (channels: readonly (readonly number[])[]) => Math.max(...channels.map(greatestStep));
  return { own: greatestStep(rendering.samples), heard: greatest(heard), still: greatest(still) };
}

function greatestStep(samples: readonly number[]): number {
  return samples.reduce((most, sample, at) => Math.max(most, Math.abs(sample - (samples[at - 1] ?? 0))), 0);
}

/**
 * Milliseconds until a suspended context runs again, and those until its worklet answers a message while it is
 * suspended.
 */
async function wakeUp(): Promise<{ readonly runsMs: number; readonly answersMs: number }> {
  const context = new AudioContext();
  const echo = `registerProcessor("echo", class extends AudioWorkletProcessor {
    constructor() { super(); this.port.onmessage = ({ data }) => this.port.postMessage(data); }
    process() { return true; }
  });`;
  await context.audioWorklet.addModule(URL.createObjectURL(new Blob([echo], { type: "text/javascript" })));
  const node = new AudioWorkletNode(context, "echo");
  node.connect(context.destination);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await context.suspend();
  const askedAt = performance.now();
  const answered = new Promise((resolve) => {
    node.port.onmessage = resolve;
  });
  node.port.postMessage("are you there?");
  await answered;
  const answersMs = performance.now() - askedAt;
  const from = { at: performance.now(), context: context.currentTime };
  void context.resume();
  while (context.currentTime === from.context) await new Promise((resolve) => setTimeout(resolve, 1));
  const runsMs = performance.now() - from.at;
  await context.close();
  return { runsMs, answersMs };
}

globalThis.underTest = { render, steps, wakeUp };
document.body.dataset.ready = "true";
