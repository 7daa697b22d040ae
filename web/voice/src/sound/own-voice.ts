/** The own voice: opens the microphone, mutes it, and gives it back. */
import type { SceneVoices } from "@stoa/client";
import { MUTED_KEPT_MS } from "../limits.ts";
import { setAudioSession } from "./audio-session.ts";
import {
  captureStream,
  type Microphone,
  type MicrophoneDevice,
  type MicrophoneOptions,
  requestDevice,
  stopTracks,
} from "./microphone.ts";
import { VoiceError, type VoiceHindrance } from "./voice-error.ts";

/** The own voice's state. */
export type TalkState =
  /** Not asked for yet, or ended. */
  | { readonly kind: "off" }
  | { readonly kind: "starting" }
  | { readonly kind: "talking"; readonly isMuted: boolean; readonly level: number; readonly isSpeech: boolean }
  | { readonly kind: "hindered"; readonly hindrance: VoiceHindrance };

/** How soon a person may unmute: `open` by a button, `push` at any moment. The time is in `MUTED_KEPT_MS`. */
export type MutedDeviceUse = keyof typeof MUTED_KEPT_MS;

/** Dependencies of an {@link OwnVoice}. */
export interface OwnVoiceOptions extends Omit<MicrophoneOptions, "listener" | "context"> {
  readonly voices: Pick<SceneVoices, "speak">;
  readonly devices: MediaDevices | undefined;
  /** The browser's permissions; `undefined` in old browsers. */
  readonly permissions: Permissions | undefined;
  /** A running context that has loaded the voice worklet. */
  readonly context: () => Promise<AudioContext>;
  /** Called when the state, or the device, changes. */
  readonly onChanged: () => void;
}

/** Opens and closes the microphone as the person wishes. */
export class OwnVoice {
  readonly #options: OwnVoiceOptions;
  #state: TalkState = { kind: "off" };
  #microphone: Microphone | undefined;
  #device: MicrophoneDevice | undefined;
  /** Whether the person wants to be muted. A device that opens or is interrupted is muted without it. */
  #wantsMuted = false;
  #kept: MutedDeviceUse = "open";
  /** The newest attempt to open a device: an earlier one that ends later has no effect. */
  #attempt: object | undefined;
  #release: ReturnType<typeof setTimeout> | undefined;

  constructor(options: OwnVoiceOptions) {
    this.#options = options;
  }

  get state(): TalkState {
    return this.#state;
  }

  /** The open microphone. A muted one is given back after some time. */
  get microphone(): Microphone | undefined {
    return this.#microphone?.device === undefined ? undefined : this.#microphone;
  }

  /** The device that is open, or that unmuting opens again. */
  get device(): MicrophoneDevice | undefined {
    return this.#state.kind === "talking" ? this.#device : undefined;
  }

  /** Whether a device captures sound, or will in a moment. */
  get isCapturing(): boolean {
    return this.microphone !== undefined || this.#attempt !== undefined;
  }

  /** Starts with a device, or with the system's, or changes to it. A person who was muted remains so. */
  async start(deviceId: string | undefined, isMuted: boolean): Promise<void> {
    this.#wantsMuted = isMuted || (this.#state.kind === "talking" && this.#state.isMuted);
    this.#set({ kind: "starting" });
    await this.#open(deviceId);
  }

  /** Mutes or unmutes. A muted device is given back after a time, and is opened again to unmute. */
  mute(isMuted: boolean, kept: MutedDeviceUse = "open"): void {
    if (this.#state.kind !== "talking") return;
    [this.#wantsMuted, this.#kept] = [isMuted, kept];
    if (isMuted || (this.microphone !== undefined && !this.microphone.isInterrupted)) this.#apply();
    else if (this.#attempt === undefined) void this.#open(this.#device?.deviceId);
  }

  /** Gives the microphone back, because of a hindrance if there is one. */
  stop(hindrance?: VoiceHindrance): void {
    this.#attempt = undefined;
    clearTimeout(this.#release);
    this.#options.voices.speak(undefined);
    this.#microphone?.release();
    setAudioSession("playback");
    this.#set(hindrance === undefined ? { kind: "off" } : { kind: "hindered", hindrance });
  }

  /** Ends for good. */
  close(): void {
    this.stop();
    this.#dropMicrophone();
  }

  #dropMicrophone(): void {
    this.#microphone?.close();
    this.#microphone = undefined;
  }

  async #open(deviceId: string | undefined): Promise<void> {
    const attempt = {};
    this.#attempt = attempt;
    this.#options.onChanged();
    try {
      const context = await this.#options.context();
      setAudioSession("play-and-record");
      const stream = await requestDevice(this.#options.devices, deviceId);
      if (this.#attempt !== attempt) return stopTracks(stream);
      const microphone = await this.#capture(stream, context);
      if (this.#attempt !== attempt) return microphone.release();
      [this.#attempt, this.#device] = [undefined, microphone.device];
      this.#adopt(microphone);
      this.#apply();
    } catch (error) {
      if (this.#attempt === attempt) this.stop(error instanceof VoiceError ? error.hindrance : "unsupported");
    }
  }

  async #capture(stream: MediaStream, context: AudioContext): Promise<Microphone> {
    const listener = {
      onLevel: (level: number, isSpeech: boolean) => {
        if (this.#state.kind === "talking" && !this.#state.isMuted) this.#set({ ...this.#state, level, isSpeech });
      },
      onEnded: () => void this.#handleEnded(),
      onInterrupted: () => this.#state.kind === "talking" && this.#apply(),
      onFailed: () => {
        this.stop("codec");
        this.#dropMicrophone();
      },
    };
    try {
      return await captureStream(stream, this.#microphone, { ...this.#options, context, listener });
    } catch (error) {
      stopTracks(stream);
      throw error;
    }
  }

  /** Sends the microphone's units, as those of the flow before if it is the same microphone. */
  #adopt(microphone: Microphone): void {
    if (microphone === this.#microphone && this.#state.kind === "talking") return;
    if (microphone !== this.#microphone) this.#microphone?.close();
    this.#microphone = microphone;
    // Before the realm is connected, so that a person who starts muted sends nothing.
    microphone.mute(this.#wantsMuted);
    this.#options.voices.speak(microphone);
  }

  /** Mutes the device as the person wishes, and tells. */
  #apply(): void {
    clearTimeout(this.#release);
    const isInterrupted = this.microphone?.isInterrupted === true;
    this.#microphone?.mute(this.#wantsMuted);
    if (this.#wantsMuted) this.#release = setTimeout(() => void this.#releaseDevice(), MUTED_KEPT_MS[this.#kept]);
    this.#set({ kind: "talking", isMuted: this.#wantsMuted || isInterrupted, level: 127, isSpeech: false });
  }

  /** Gives a muted device back, unless the browser would ask the person at each unmute: a disabled track is silent. */
  async #releaseDevice(): Promise<void> {
    const permission = await this.#permission();
    const isMuted = this.#state.kind === "talking" && this.#wantsMuted && this.#attempt === undefined;
    if (permission !== "granted" || !isMuted) return;
    this.#microphone?.release();
    setAudioSession("playback");
    this.#options.onChanged();
  }

  async #handleEnded(): Promise<void> {
    const ended = this.#microphone?.stream;
    const permission = await this.#permission();
    if (ended !== undefined && ended === this.#microphone?.stream)
      this.stop(permission === "denied" ? "denied" : "unplugged");
  }

  /** Whether the browser gives the microphone without a question; `undefined` if it doesn't tell. */
  async #permission(): Promise<PermissionState | undefined> {
    try {
      return (await this.#options.permissions?.query({ name: "microphone" }))?.state;
    } catch {
      return undefined;
    }
  }

  #set(state: TalkState): void {
    this.#state = state;
    this.#options.onChanged();
  }
}
