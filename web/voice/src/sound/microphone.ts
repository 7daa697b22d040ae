/** Captures microphones and encodes their sound. */
import type { VoiceSource } from "@stoa/client";
import { type CaptureThread, captureThread, WorkletCapture } from "./capture-thread.ts";
import { hindranceOfCapture, VoiceError } from "./voice-error.ts";

/** Receives the events of a {@link Microphone}. */
export interface MicrophoneListener {
  /** Loudness in −dBov, and whether it is speech. Called each `REPORT_MS` while captured sound is encoded. */
  readonly onLevel: (level: number, isSpeech: boolean) => void;
  /** The device was unplugged, or its permission withdrawn. */
  readonly onEnded: () => void;
  /** The system interrupts the device, as for a telephone call, or returns it. */
  readonly onInterrupted: (isInterrupted: boolean) => void;
  /** The codec did not load. */
  readonly onFailed: () => void;
}

/** Dependencies of {@link captureStream}. */
export interface MicrophoneOptions {
  /** Address of the script of voices. */
  readonly scriptUrl: string;
  /** A context that has loaded the script as a worklet. */
  readonly context: AudioContext;
  /** Opens a context of another rate with the worklet, for Firefox, which can't mix rates. */
  readonly newContext: (rateHz: number) => Promise<AudioContext>;
  readonly random: () => number;
  readonly listener: MicrophoneListener;
}

/** A device as the browser describes it. */
export interface MicrophoneDevice {
  readonly label: string;
  /** `undefined` if the browser doesn't tell. */
  readonly deviceId: string | undefined;
  /** How the browser cancels echo: `"all"` sound of the system, true for a part of it. */
  readonly echoCancellation: string | boolean | undefined;
}

/** An open device. */
interface OpenDevice {
  readonly stream: MediaStream;
  readonly track: MediaStreamTrack;
  readonly stopListening: AbortController;
}

/**
 * Encodes the sound of one device after another. It is one flow to the realm, which admits few of one person: a flow
 * for each device, or for each time that the person unmutes, would soon be one too many.
 */
export class Microphone implements VoiceSource {
  readonly epoch: number;
  readonly #thread: CaptureThread;
  readonly #listener: MicrophoneListener;
  #device: OpenDevice | undefined;
  #isMuted = false;

  constructor(thread: CaptureThread, { random, listener }: MicrophoneOptions) {
    this.epoch = Math.floor(random() * 2 ** 32);
    [this.#thread, this.#listener] = [thread, listener];
    thread.onReport = (report) => {
      if (report.kind === "level") listener.onLevel(report.level, report.isSpeech);
      else if (report.kind === "failed") listener.onFailed();
    };
  }

  /** The open device; `undefined` while there is none. */
  get device(): MicrophoneDevice | undefined {
    const track = this.#device?.track;
    if (track === undefined) return undefined;
    const { deviceId, echoCancellation } = track.getSettings() as MediaTrackSettings & Partial<MicrophoneDevice>;
    return { label: track.label, deviceId, echoCancellation };
  }

  /** The sound of the open device. */
  get stream(): MediaStream | undefined {
    return this.#device?.stream;
  }

  /** Whether the system interrupts the open device. */
  get isInterrupted(): boolean {
    return this.#device?.track.muted === true;
  }

  openPort(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#thread.request({ port: port1 }, [port1]);
    return port2;
  }

  /** Encodes a device in place of the one before. Throws if its rate can't be captured; then nothing changes. */
  attach(stream: MediaStream): void {
    const [track] = stream.getAudioTracks();
    if (track === undefined) throw new TypeError("the stream of a microphone has no track of sound");
    track.enabled = !this.#isMuted;
    this.#thread.attach(stream, track);
    this.#giveBack();
    const [stopListening, listener] = [new AbortController(), this.#listener];
    const { signal } = stopListening;
    track.addEventListener("ended", () => listener.onEnded(), { signal });
    track.addEventListener("mute", () => listener.onInterrupted(true), { signal });
    track.addEventListener("unmute", () => listener.onInterrupted(false), { signal });
    this.#device = { stream, track, stopListening };
  }

  /** Stops or resumes encoding. The device stays open. */
  mute(isMuted: boolean): void {
    this.#isMuted = isMuted;
    if (this.#device !== undefined) this.#device.track.enabled = !isMuted;
    this.#thread.request({ isMuted }, []);
  }

  /** Gives the device back, until the next `attach`. */
  release(): void {
    if (this.#device === undefined) return;
    this.#giveBack();
    this.#thread.detach();
  }

  /** Ends encoding for good. */
  close(): void {
    this.release();
    this.#thread.close();
  }

  #giveBack(): void {
    if (this.#device === undefined) return;
    this.#device.stopListening.abort();
    stopTracks(this.#device.stream);
    this.#device = undefined;
  }
}

/** Asks for a device; `undefined` for the system's. Rejects with a {@link VoiceError}. */
export async function requestDevice(
  devices: MediaDevices | undefined,
  deviceId: string | undefined,
): Promise<MediaStream> {
  if (devices?.getUserMedia === undefined)
    throw new VoiceError(globalThis.isSecureContext ? "unsupported" : "insecure");
  return await devices.getUserMedia({ audio: constraintsFor(deviceId) }).catch((error: unknown) => {
    throw new VoiceError(hindranceOfCapture(error), error);
  });
}

/** Encodes a stream with the microphone `before`, or with another if the rates differ. Rejects with a {@link VoiceError}. */
export async function captureStream(
  stream: MediaStream,
  before: Microphone | undefined,
  options: MicrophoneOptions,
): Promise<Microphone> {
  const microphone = before ?? new Microphone(captureThread(options), options);
  try {
    microphone.attach(stream);
    return microphone;
  } catch (error) {
    if (microphone !== before) microphone.close();
    const rateHz = stream.getAudioTracks()[0]?.getSettings().sampleRate;
    if (rateHz === undefined) throw new VoiceError("unsupported", error);
    const own = new Microphone(new WorkletCapture(await options.newContext(rateHz), true), options);
    own.attach(stream);
    return own;
  }
}

export function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
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
