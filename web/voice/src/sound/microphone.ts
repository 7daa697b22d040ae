/** Captures the microphone and encodes it. */
import type { VoiceSource } from "@stoa/client";
import type { CaptureRequest } from "../capture/capture-worker.ts";
import { type LoadReport, SOURCE_PROCESSOR, type SourceReport, type SourceRequest } from "../worklet/messages.ts";
import { hindranceOfCapture, VoiceError } from "./voice-error.ts";

/** Receives the events of a {@link Microphone}. */
export interface MicrophoneListener {
  /** Loudness in −dBov, and whether it is speech. Called each `REPORT_MS` while captured sound is encoded. */
  readonly onLevel: (level: number, isSpeech: boolean) => void;
  /** The device was unplugged, or taken for good. */
  readonly onEnded: () => void;
}

/** Dependencies of {@link openMicrophone}. */
export interface MicrophoneOptions {
  readonly devices: MediaDevices | undefined;
  /** Address of the script of voices. */
  readonly scriptUrl: string;
  /** A context that has loaded the script as a worklet. */
  readonly context: AudioContext;
  /** Opens a context of another rate with the worklet, for Firefox, which can't mix rates. */
  readonly newContext: (rateHz: number) => Promise<AudioContext>;
  /** The chosen device; `undefined` for the system's. */
  readonly deviceId: string | undefined;
  readonly random: () => number;
  readonly listener: MicrophoneListener;
}

/** An open microphone. */
export class Microphone implements VoiceSource {
  readonly epoch: number;
  readonly #stream: MediaStream;
  readonly #thread: CaptureThread;

  constructor(stream: MediaStream, thread: CaptureThread, { random, listener }: MicrophoneOptions) {
    this.epoch = Math.floor(random() * 2 ** 32);
    [this.#stream, this.#thread] = [stream, thread];
    thread.port.onmessage = ({ data }: MessageEvent<SourceReport | LoadReport>) => {
      if (data.kind === "level") listener.onLevel(data.level, data.isSpeech);
      else if (data.kind === "failed") listener.onEnded();
    };
    for (const track of stream.getAudioTracks()) track.addEventListener("ended", () => listener.onEnded());
  }

  /** The device's name as the browser shows it. */
  get label(): string {
    return this.#stream.getAudioTracks()[0]?.label ?? "";
  }

  /** The device's id; `undefined` if the browser doesn't tell. */
  get deviceId(): string | undefined {
    return this.#stream.getAudioTracks()[0]?.getSettings().deviceId;
  }

  openPort(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#request({ port: port1 }, [port1]);
    return port2;
  }

  /** Stops or resumes encoding. The device stays open. */
  mute(isMuted: boolean): void {
    for (const track of this.#stream.getAudioTracks()) track.enabled = !isMuted;
    this.#request({ isMuted }, []);
  }

  /** Gives the device back. */
  close(): void {
    for (const track of this.#stream.getTracks()) track.stop();
    this.#thread.close();
  }

  #request(request: SourceRequest, transfer: Transferable[]): void {
    this.#thread.port.postMessage(request, transfer);
  }
}

/** The thread that captures and encodes a stream, which takes {@link SourceRequest}s and reports. */
interface CaptureThread {
  readonly port: MessagePort | Worker;
  readonly close: () => void;
}

/** Asks for the microphone. Rejects with a {@link VoiceError}. */
export async function openMicrophone(options: MicrophoneOptions): Promise<Microphone> {
  const { devices, deviceId } = options;
  if (devices?.getUserMedia === undefined)
    throw new VoiceError(globalThis.isSecureContext ? "unsupported" : "insecure");
  const stream = await devices.getUserMedia({ audio: constraintsFor(deviceId) }).catch((error: unknown) => {
    throw new VoiceError(hindranceOfCapture(error), error);
  });
  try {
    return new Microphone(
      stream,
      captureInWorker(stream, options) ?? (await captureInWorklet(stream, options)),
      options,
    );
  } catch (error) {
    for (const track of stream.getTracks()) track.stop();
    throw error instanceof VoiceError ? error : new VoiceError("unsupported", error);
  }
}

/** `echoCancellation: "all"` cancels the sound of the whole system, which TypeScript's types don't know yet. */
function constraintsFor(deviceId: string | undefined): MediaTrackConstraints {
  const all = { ideal: "all" } as unknown as ConstrainBoolean;
  return {
    echoCancellation: all,
    noiseSuppression: true,
    autoGainControl: true,
    channelCount: 1,
    ...(deviceId === undefined ? {} : { deviceId: { ideal: deviceId } }),
  };
}

/** Chromium lets pages hand a track's sound to a worker. Source: MediaStreamTrack Insertable Media Processing. */
interface TrackProcessors {
  readonly MediaStreamTrackProcessor?: new (init: {
    readonly track: MediaStreamTrack | undefined;
  }) => { readonly readable: ReadableStream<AudioData> };
}

function captureInWorker(stream: MediaStream, { scriptUrl }: MicrophoneOptions): CaptureThread | undefined {
  const { MediaStreamTrackProcessor } = globalThis as TrackProcessors;
  if (MediaStreamTrackProcessor === undefined) return undefined;
  const { readable: sound } = new MediaStreamTrackProcessor({ track: stream.getAudioTracks()[0] });
  const port = new Worker(scriptUrl, { type: "module" });
  const request: CaptureRequest = { sound };
  port.postMessage(request, [sound]);
  return { port, close: () => port.terminate() };
}

async function captureInWorklet(stream: MediaStream, options: MicrophoneOptions): Promise<CaptureThread> {
  const { context, source, close } = await contextFor(stream, options);
  const node = new AudioWorkletNode(context, SOURCE_PROCESSOR, { channelCount: 1, channelCountMode: "explicit" });
  // The output is silent; a node that nothing pulls may not run.
  source.connect(node).connect(context.destination);
  return {
    port: node.port,
    close() {
      source.disconnect();
      node.disconnect();
      node.port.close();
      close?.();
    },
  };
}

/** A context that takes the stream; `close` ends one of its own. */
async function contextFor(
  stream: MediaStream,
  { context, newContext }: MicrophoneOptions,
): Promise<{ context: AudioContext; source: AudioNode; close?: () => void }> {
  try {
    return { context, source: context.createMediaStreamSource(stream) };
  } catch (error) {
    const rateHz = stream.getAudioTracks()[0]?.getSettings().sampleRate;
    if (rateHz === undefined) throw error;
    const own = await newContext(rateHz);
    return { context: own, source: own.createMediaStreamSource(stream), close: () => void own.close() };
  }
}
