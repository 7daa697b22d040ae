/** Captures the microphone and encodes it. */
import type { VoiceSource } from "@stoa/client";
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
  /** A context that has loaded the voice worklet. */
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
  readonly #context: AudioContext;
  readonly #ownsContext: boolean;
  readonly #node: AudioWorkletNode;
  readonly #source: AudioNode;

  constructor(stream: MediaStream, graph: CaptureGraph, { random, listener }: MicrophoneOptions) {
    this.epoch = Math.floor(random() * 2 ** 32);
    this.#stream = stream;
    [this.#context, this.#ownsContext, this.#source] = [graph.context, graph.ownsContext, graph.source];
    this.#node = new AudioWorkletNode(this.#context, SOURCE_PROCESSOR, {
      channelCount: 1,
      channelCountMode: "explicit",
    });
    this.#node.port.onmessage = ({ data }: MessageEvent<SourceReport | LoadReport>) => {
      if (data.kind === "level") listener.onLevel(data.level, data.isSpeech);
      else if (data.kind === "failed") listener.onEnded();
    };
    // The output is silent; a node that nothing pulls may not run.
    this.#source.connect(this.#node).connect(this.#context.destination);
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
    this.#source.disconnect();
    this.#node.disconnect();
    this.#node.port.close();
    if (this.#ownsContext) void this.#context.close();
  }

  #request(request: SourceRequest, transfer: Transferable[]): void {
    this.#node.port.postMessage(request, transfer);
  }
}

/** The nodes that capture a stream. */
interface CaptureGraph {
  readonly context: AudioContext;
  readonly ownsContext: boolean;
  readonly source: AudioNode;
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
    return new Microphone(stream, await captureGraph(stream, options), options);
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

async function captureGraph(stream: MediaStream, { context, newContext }: MicrophoneOptions): Promise<CaptureGraph> {
  try {
    return { context, ownsContext: false, source: context.createMediaStreamSource(stream) };
  } catch (error) {
    const rateHz = stream.getAudioTracks()[0]?.getSettings().sampleRate;
    if (rateHz === undefined) throw error;
    const own = await newContext(rateHz);
    return { context: own, ownsContext: true, source: own.createMediaStreamSource(stream) };
  }
}
