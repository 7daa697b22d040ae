/** Connects a scene's voices with loudspeaker and microphone. */
import type { SceneVoices, VoicePlayer } from "@stoa/client";
import { CONTEXT_STARTS_MS, SLOTS_SPARE } from "../limits.ts";
import {
  type LoadReport,
  PLAYER_PROCESSOR,
  type PlayerReport,
  type PlayerRequest,
  type SlotState,
} from "../messages.ts";
import { onSessionReturned, setAudioSession } from "./audio-session.ts";
import { EchoGuard } from "./echo-guard.ts";
import type { MicrophoneDevice } from "./microphone.ts";
import { type MutedDeviceUse, OwnVoice, type TalkState } from "./own-voice.ts";
import { RestingContext } from "./resting-context.ts";
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
  /** The browser's permissions; `undefined` in old browsers. */
  readonly permissions: Permissions | undefined;
  readonly random: () => number;
}

/** The sound of a scene's voices in one page. */
export class VoiceEngine {
  readonly #options: VoiceEngineOptions;
  readonly #listeners = new Set<() => void>();
  readonly #endFollowing: () => void;
  readonly #closed = new AbortController();
  readonly #own: OwnVoice;
  #context: RestingContext | undefined;
  #player: AudioWorkletNode | undefined;
  #space: VoiceSpace | undefined;
  #echo: EchoGuard | undefined;
  #listening: Promise<AudioContext> | undefined;
  #slots: readonly SlotState[] = [];
  #expectsVoices = false;

  constructor(options: VoiceEngineOptions) {
    this.#options = options;
    this.#endFollowing = options.voices.follow(() => this.#assignSpeakers());
    this.#own = new OwnVoice({
      ...options,
      context: () => this.#running(),
      newContext: (rateHz) => this.#openContext(rateHz),
      onChanged: () => this.#notify(),
    });
    onSessionReturned(() => void this.resume(), this.#closed.signal);
  }

  /** Calls `listener` when a speaker begins or ends, or the own voice changes, until the returned function is called. */
  follow(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** The own voice. */
  get talk(): TalkState {
    return this.#own.state;
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

  /** Whether voices arrive. */
  get isPlaying(): boolean {
    return this.#slots.some(({ isActive }) => isActive);
  }

  /** The voices in space; `undefined` until `listen` has resolved. */
  get space(): VoiceSpace | undefined {
    return this.#space;
  }

  /** Whether sound waits for a press or key, as browsers demand. */
  get needsGesture(): boolean {
    return this.#context?.isBlocked === true && this.isPlaying;
  }

  /** Whether people may begin to speak at any moment, so that the context must run. */
  set expectsVoices(expects: boolean) {
    if (expects === this.#expectsVoices) return;
    this.#expectsVoices = expects;
    this.#updateContext();
  }

  /** Whether the microphone hears the voices, so that people hear themselves. Known some seconds after both began. */
  get hasEcho(): boolean {
    return this.#echo?.hasEcho ?? false;
  }

  /** Starts hearing. Rejects with a {@link VoiceError}. */
  async listen(): Promise<void> {
    await this.#listen();
  }

  /** Lets a context run that the browser or the system has stopped. To be called within a press or key. */
  async resume(): Promise<void> {
    await this.#context?.unblock();
  }

  /** Starts talking with a device, or with the system's. The state tells the outcome. */
  async startTalking(deviceId?: string, isMuted = false): Promise<void> {
    await this.#own.start(deviceId, isMuted);
  }

  /** Mutes or unmutes the own voice. `kept` says how soon the person may unmute. */
  mute(isMuted: boolean, kept?: MutedDeviceUse): void {
    this.#own.mute(isMuted, kept);
  }

  /** Gives the microphone back, because of a hindrance if there is one. */
  stopTalking(hindrance?: VoiceHindrance): void {
    this.#own.stop(hindrance);
  }

  /** The device of the own voice. A muted one is closed after some time. */
  get microphone(): MicrophoneDevice | undefined {
    return this.#own.device;
  }

  /** Ends hearing and talking for good. */
  close(): void {
    this.#closed.abort();
    this.#endFollowing();
    this.#own.close();
    this.#echo?.close();
    this.#options.voices.hear(undefined);
    this.#player?.disconnect();
    this.#context?.close();
  }

  #listen(): Promise<AudioContext> {
    this.#listening ??= this.#startListening().catch((error: unknown) => {
      this.#listening = undefined;
      throw error instanceof VoiceError ? error : new VoiceError("unsupported", error);
    });
    return this.#listening;
  }

  /** The context, which runs from now on: a source of sound is about to use it. */
  async #running(): Promise<AudioContext> {
    const listening = this.#listen();
    void this.#context?.unblock();
    // Firefox runs no context without a sound output, and loads no player before its context runs.
    let late: ReturnType<typeof setTimeout> | undefined;
    const isLate = new Promise<never>((_, reject) => {
      const fail = () => reject(new VoiceError(this.#context === undefined ? "codec" : "no-output"));
      late = setTimeout(fail, CONTEXT_STARTS_MS);
    });
    try {
      return await Promise.race([listening, isLate]);
    } finally {
      clearTimeout(late);
    }
  }

  async #startListening(): Promise<AudioContext> {
    const context = await this.#openContext();
    const { voices, hears, hrtfVoices } = this.#options;
    // A press lets the context run also while the player loads.
    const resting = new RestingContext(context, () => this.#notify());
    this.#context = resting;
    if (this.#own.isCapturing) void resting.unblock();
    const slots = hears + SLOTS_SPARE;
    try {
      const player = new AudioWorkletNode(context, PLAYER_PROCESSOR, {
        numberOfInputs: 0,
        numberOfOutputs: slots,
        outputChannelCount: Array.from({ length: slots }, () => 1),
        processorOptions: { slots },
      });
      const space = new VoiceSpace(context, player, hrtfVoices);
      await this.#loaded(player);
      if (this.#closed.signal.aborted) throw new VoiceError("unsupported", new Error("the scene was left"));
      [this.#space, this.#player, this.#echo] = [space, player, new EchoGuard(context, space)];
      if (!this.#own.isCapturing) setAudioSession("playback");
      voices.hear(playerOf(player, hears));
      this.#updateContext();
      return context;
    } catch (error) {
      resting.close();
      this.#context = undefined;
      throw error;
    }
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

  #handleReport({ slots }: PlayerReport): void {
    this.#slots = slots;
    this.#assignSpeakers();
    this.#notify();
  }

  #assignSpeakers(): void {
    for (const { slot, voice } of this.#slots) this.#space?.assign(slot, this.#options.voices.speakerOf(voice));
  }

  #updateContext(): void {
    this.#context?.setUsed(this.#own.isCapturing || this.isPlaying || this.#expectsVoices);
  }

  #notify(): void {
    this.#updateContext();
    this.#echo?.handle(this.#own, this.isPlaying);
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
