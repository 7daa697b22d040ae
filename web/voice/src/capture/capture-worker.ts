/**
 * Captures a microphone's track in a worker. Its sound waits nowhere: the source node of an AudioContext keeps a queue
 * of up to 100 ms, which stays long after the audio thread was late once.
 */
import type { Opus } from "../codec/opus.ts";
import type { LoadReport, SourceReport, SourceRequest } from "../messages.ts";
import { UnitSource } from "./unit-source.ts";

/** From the page to the worker: the track's sound first, then as to a source. */
export type CaptureRequest = SourceRequest | { readonly sound: ReadableStream<AudioData> };

/** The global scope of the worker. */
export interface CaptureScope {
  postMessage(report: SourceReport | LoadReport): void;
  onmessage: ((event: MessageEvent<CaptureRequest>) => void) | null;
}

/** Serves one microphone. Its page ends the worker. */
export function serveCapture(scope: CaptureScope, library: Promise<Opus>): void {
  const source = new UnitSource(library, (report) => scope.postMessage(report));
  scope.onmessage = ({ data }) => {
    if ("sound" in data) void encode(data.sound, source);
    else source.handle(data);
  };
}

async function encode(sound: ReadableStream<AudioData>, source: UnitSource): Promise<void> {
  const reader = sound.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const { sampleRate, timestamp } = next.value;
    source.push(mono(next.value), sampleRate, timestamp / 1_000);
    next.value.close();
  }
}

/** The mean of all channels: a device may have two although the page asked for one. */
function mono(sound: AudioData): Float32Array {
  const { numberOfFrames, numberOfChannels } = sound;
  const [mean, channel] = [new Float32Array(numberOfFrames), new Float32Array(numberOfFrames)];
  for (let planeIndex = 0; planeIndex < numberOfChannels; planeIndex += 1) {
    sound.copyTo(channel, { planeIndex, format: "f32-planar" });
    for (let at = 0; at < numberOfFrames; at += 1) mean[at] = (mean[at] ?? 0) + (channel[at] ?? 0) / numberOfChannels;
  }
  return mean;
}
