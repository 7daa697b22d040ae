/** Connects a scene's voices with loudspeaker and microphone. */
import type { SceneVoices, VoicePlayer } from "@stoa/client";
import {
  type LoadReport,
  PLAYER_PROCESSOR,
  type PlayerReport,
  type PlayerRequest,
  type SlotState,
} from "../worklet/messages.ts";
import { type Microphone, openMicrophone } from "./microphone.ts";
import { VoiceError, type VoiceHindrance } from "./voice-error.ts";
import { VoiceSpace } from "./voice-space.ts";

/** Dependencies of a {@link VoiceEngine}. */
export interface VoiceEngineOptions {
  readonly voices: SceneVoices;
  /** Address of the script of the audio worklet and of the worker that captures. */
  readonly scriptUrl: string;
  /** Most voices at once. */
  readonly hears: number;
  /** Voices placed by head-related transfer functions. Phones place all by loudness. */
  readonly hrtfVoices: number;
  readonly devices: MediaDevices | undefined;
  readonly random: () => number;
}

/** The own voice's state. */
export type TalkState =
  /** Not asked for yet, or ended. */
  | { readonly kind: "off" }
  | { readonly kind: "starting" }
  | { readonly kind: "talking"; readonly isMuted: boolean; readonly level: number; readonly isSpeech: boolean }
  | { readonly kind: "hindered"; readonly hindrance: VoiceHindrance };

/** The sound of a scene's voices in one page. */
export class VoiceEngine {
  readonly #options: VoiceEngineOptions;
  readonly #listeners = new Set<() => void>();
  readonly #endFollowing: () => void;
  #context: AudioContext | undefined;
  #player: AudioWorkletNode | undefined;
  #space: VoiceSpace | undefined;
  #listening: Promise<void> | undefined;
  #slots: readonly SlotState[] = [];
  #microphone: Microphone | undefined;
  #talk: TalkState = { kind: "off" };
  #isClosed = false;

  constructor(options: VoiceEngineOptions) {
    this.#options = options;
    this.#endFollowing = options.voices.follow(() => this.#assignSpeakers());
  }

  /** Calls `listener` when a speaker begins or ends, or the own voice changes, until the returned function is called. */
  follow(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** The own voice. */
  get talk(): TalkState {
    return this.#talk;
  }

  /** People who speak now: loudness in −dBov by idTag. */
  get speaking(): ReadonlyMap<string, number> {
    const speaking = new Map<string, number>();
    for (const { voice, level, isActive } of this.#slots) {
      const idTag = this.#options.voices.speakerOf(voice);
      if (idTag !== undefined && isActive && level >= SPEECH) speaking.set(idTag, level & 0x7f);
    }
    return speaking;
  }

  /** Outputs of the player, for measurements. */
  get slots(): readonly SlotState[] {
    return this.#slots;
  }

  /** The voices in space; `undefined` until `listen` has resolved. */
  get space(): VoiceSpace | undefined {
    return this.#space;
  }

  /** Whether sound waits for a press or key, as browsers demand. */
  get needsGesture(): boolean {
    return this.#context !== undefined && this.#context.state !== "running" && this.#slots.some((one) => one.isActive);
  }

  /** Starts hearing. Rejects with a {@link VoiceError}. */
  listen(): Promise<void> {
    this.#listening ??= this.#listen().catch((error: unknown) => {
      this.#listening = undefined;
      throw error instanceof VoiceError ? error : new VoiceError("unsupported", error);
    });
    return this.#listening;
  }

  /** Lets a suspended context run. To be called within a press or key. */
  async resume(): Promise<void> {
    if (this.#context?.state === "suspended") await this.#context.resume();
  }

  /** Starts talking with a device, or with the system's. The state tells the outcome. */
  async startTalking(deviceId?: string): Promise<void> {
    this.#setTalk({ kind: "starting" });
    try {
      await this.listen();
      await this.resume();
      const microphone = await this.#openMicrophone(deviceId);
      if (this.#isClosed || this.#talk.kind !== "starting") return microphone.close();
      this.#microphone?.close();
      this.#microphone = microphone;
      setAudioSession("play-and-record");
      this.#options.voices.speak(microphone);
      this.#setTalk({ kind: "talking", isMuted: false, level: 127, isSpeech: false });
    } catch (error) {
      this.#setTalk({ kind: "hindered", hindrance: error instanceof VoiceError ? error.hindrance : "unsupported" });
    }
  }

  /** Mutes or unmutes the own voice. */
  mute(isMuted: boolean): void {
    if (this.#talk.kind !== "talking") return;
    this.#microphone?.mute(isMuted);
    this.#setTalk({ kind: "talking", isMuted, level: 127, isSpeech: false });
  }

  /** Gives the microphone back. */
  stopTalking(): void {
    this.#options.voices.speak(undefined);
    this.#microphone?.close();
    this.#microphone = undefined;
    setAudioSession("playback");
    this.#setTalk({ kind: "off" });
  }

  /** The device that is in use. */
  get microphone(): { readonly label: string; readonly deviceId: string | undefined } | undefined {
    const microphone = this.#microphone;
    return microphone && { label: microphone.label, deviceId: microphone.deviceId };
  }

  /** Ends hearing and talking for good. */
  close(): void {
    this.#isClosed = true;
    this.#endFollowing();
    this.stopTalking();
    this.#options.voices.hear(undefined);
    this.#player?.disconnect();
    void this.#context?.close();
  }

  async #listen(): Promise<void> {
    const context = await this.#openContext();
    if (this.#isClosed) return void context.close();
    this.#context = context;
    // A press lets the context run: nothing waits for it any more.
    context.onstatechange = () => this.#notify();
    const { voices, hears, hrtfVoices } = this.#options;
    const player = new AudioWorkletNode(context, PLAYER_PROCESSOR, {
      numberOfInputs: 0,
      numberOfOutputs: hears,
      outputChannelCount: Array.from({ length: hears }, () => 1),
      processorOptions: { slots: hears },
    });
    this.#space = new VoiceSpace(context, player, hrtfVoices);
    await this.#loaded(player);
    this.#player = player;
    setAudioSession(this.#microphone === undefined ? "playback" : "play-and-record");
    voices.hear(playerOf(player, hears));
  }

  async #openContext(rateHz?: number): Promise<AudioContext> {
    if (!("AudioWorkletNode" in globalThis)) throw new VoiceError("unsupported");
    const context = new AudioContext({
      latencyHint: "interactive",
      ...(rateHz === undefined ? {} : { sampleRate: rateHz }),
    });
    try {
      await context.audioWorklet.addModule(this.#options.scriptUrl);
      return context;
    } catch (error) {
      void context.close();
      throw new VoiceError("codec", error);
    }
  }

  /** Resolves when the player has loaded its codec. From then on, its reports are handled. */
  #loaded(player: AudioWorkletNode): Promise<void> {
    return new Promise((resolve, reject) => {
      player.port.onmessage = ({ data }: MessageEvent<PlayerReport | LoadReport>) => {
        if (data.kind === "ready") resolve();
        else if (data.kind === "failed") reject(new VoiceError("codec", new Error(data.error)));
        else this.#handleReport(data);
      };
    });
  }

  #openMicrophone(deviceId: string | undefined): Promise<Microphone> {
    const { devices, random, scriptUrl } = this.#options;
    const context = this.#context;
    if (context === undefined) throw new VoiceError("unsupported");
    const listener = {
      onLevel: (level: number, isSpeech: boolean) => {
        if (this.#talk.kind === "talking" && !this.#talk.isMuted) this.#setTalk({ ...this.#talk, level, isSpeech });
      },
      onEnded: () => {
        this.stopTalking();
        this.#setTalk({ kind: "hindered", hindrance: "no-device" });
      },
    };
    const newContext = (rateHz: number) => this.#openContext(rateHz);
    return openMicrophone({ devices, scriptUrl, context, newContext, deviceId, random, listener });
  }

  #handleReport({ slots }: PlayerReport): void {
    this.#slots = slots;
    this.#assignSpeakers();
    this.#notify();
  }

  #assignSpeakers(): void {
    for (const { slot, voice } of this.#slots) this.#space?.assign(slot, this.#options.voices.speakerOf(voice));
  }

  #setTalk(state: TalkState): void {
    this.#talk = state;
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Least level byte of a unit with speech. */
const SPEECH = 0x80;

function playerOf(player: AudioWorkletNode, hears: number): VoicePlayer {
  return {
    hears,
    openPort() {
      const { port1, port2 } = new MessageChannel();
      const request: PlayerRequest = { port: port1 };
      player.port.postMessage(request, [port1]);
      return port2;
    },
  };
}

/** Tells iOS how the page uses sound: without it, a ringing phone or the mute switch silences voices. */
function setAudioSession(type: "playback" | "play-and-record"): void {
  const { audioSession } = navigator as Navigator & { readonly audioSession?: { type: string } };
  if (audioSession !== undefined) audioSession.type = type;
}
