/** The threads that capture and encode a microphone's sound off the page's thread. */
import type { CaptureRequest } from "../capture/capture-worker.ts";
import { type LoadReport, SOURCE_PROCESSOR, type SourceReport, type SourceRequest } from "../messages.ts";

/** Encodes one stream after another. */
export interface CaptureThread {
  onReport: (report: SourceReport | LoadReport) => void;
  request(request: SourceRequest, transfer: Transferable[]): void;
  /** Encodes a track in place of the one before. Throws if it can't take its rate. */
  attach(stream: MediaStream, track: MediaStreamTrack): void;
  /** Encodes nothing until the next `attach`. */
  detach(): void;
  close(): void;
}

/** Dependencies of {@link captureThread}. */
export interface CaptureThreadOptions {
  /** Address of the script of voices. */
  readonly scriptUrl: string;
  /** A context that has loaded the script as a worklet. */
  readonly context: AudioContext;
}

/** Chromium lets pages hand a track's sound to a worker. Source: MediaStreamTrack Insertable Media Processing. */
type TrackProcessor = new (init: {
  readonly track: MediaStreamTrack;
}) => { readonly readable: ReadableStream<AudioData> };

/** A worker where the browser gives it the sound of tracks, else the context. */
export function captureThread({ scriptUrl, context }: CaptureThreadOptions): CaptureThread {
  const { MediaStreamTrackProcessor } = globalThis as { readonly MediaStreamTrackProcessor?: TrackProcessor };
  return MediaStreamTrackProcessor === undefined
    ? new WorkletCapture(context, false)
    : new WorkerCapture(scriptUrl, MediaStreamTrackProcessor);
}

/** Captures in a worker. */
class WorkerCapture implements CaptureThread {
  onReport: CaptureThread["onReport"] = () => undefined;
  readonly #worker: Worker;
  readonly #processor: TrackProcessor;

  constructor(scriptUrl: string, processor: TrackProcessor) {
    [this.#worker, this.#processor] = [new Worker(scriptUrl, { type: "module" }), processor];
    this.#worker.onmessage = ({ data }: MessageEvent<SourceReport | LoadReport>) => this.onReport(data);
    this.#worker.onerror = ({ message }) => this.onReport({ kind: "failed", error: message });
  }

  request(request: SourceRequest, transfer: Transferable[]): void {
    this.#post(request, transfer);
  }

  attach(_: MediaStream, track: MediaStreamTrack): void {
    const { readable: sound } = new this.#processor({ track });
    this.#post({ sound }, [sound]);
  }

  /** The sound of a track ends with it. */
  detach(): void {}

  close(): void {
    this.#worker.terminate();
  }

  #post(request: CaptureRequest, transfer: Transferable[]): void {
    this.#worker.postMessage(request, transfer);
  }
}

/** Captures on the audio thread of a context. */
export class WorkletCapture implements CaptureThread {
  onReport: CaptureThread["onReport"] = () => undefined;
  readonly #context: AudioContext;
  readonly #ownsContext: boolean;
  readonly #node: AudioWorkletNode;
  #source: AudioNode | undefined;

  /** `ownsContext`: the context is suspended without a stream, and closed at the end. */
  constructor(context: AudioContext, ownsContext: boolean) {
    [this.#context, this.#ownsContext] = [context, ownsContext];
    this.#node = new AudioWorkletNode(context, SOURCE_PROCESSOR, { channelCount: 1, channelCountMode: "explicit" });
    this.#node.port.onmessage = ({ data }: MessageEvent<SourceReport | LoadReport>) => this.onReport(data);
    // The output is silent; a node that nothing pulls may not run.
    this.#node.connect(context.destination);
  }

  request(request: SourceRequest, transfer: Transferable[]): void {
    this.#node.port.postMessage(request, transfer);
  }

  attach(stream: MediaStream): void {
    const source = this.#context.createMediaStreamSource(stream);
    this.#source?.disconnect();
    source.connect(this.#node);
    this.#source = source;
    if (this.#ownsContext) void this.#context.resume();
  }

  detach(): void {
    this.#source?.disconnect();
    this.#source = undefined;
    if (this.#ownsContext) void this.#context.suspend();
  }

  close(): void {
    this.detach();
    this.#node.disconnect();
    this.#node.port.close();
    if (this.#ownsContext) void this.#context.close();
  }
}
