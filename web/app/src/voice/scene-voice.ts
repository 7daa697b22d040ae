/** The voices of one visit: loads sound when it is needed, and keeps it at the heads of the scene. */
import type { DrawnHeads, FlowRights, Person, SceneSession } from "@stoa/client";
import type { TalkState, VoiceEngine, VoiceEngineOptions } from "@stoa/voice";
import { HEARD_VOICES, VOICE_PLACING_MS, VOICE_RETRY_MS } from "../limits.ts";
import { fadingIn, OPTIONS_ID } from "./fading.ts";

/** Most voices at once, and how many of them head-related transfer functions place. */
export type HeardVoices = Pick<VoiceEngineOptions, "hears" | "hrtfVoices">;

/** Dependencies of a {@link SceneVoice}. */
export interface SceneVoiceOptions {
  readonly session: SceneSession;
  /** Loads the sound of voices. */
  readonly load: (session: SceneSession, heard: HeardVoices) => Promise<VoiceEngine>;
  /** Whether this is a phone, which hears fewer voices at once. */
  readonly isPhone: boolean;
  /** Receives presses and keys, which browsers demand before a page may make sound. */
  readonly presses: EventTarget;
  readonly mode: TalkMode;
  /** Id of the preferred microphone; `undefined` for the system's. */
  readonly microphone: string | undefined;
}

/** `open`: the own voice is heard until it is muted. `push`: it is heard while a key or the button is held. */
export type TalkMode = "open" | "push";
export const TALK_MODES: readonly TalkMode[] = ["open", "push"];

const OFF: TalkState = { kind: "off" };
const NOBODY: ReadonlyMap<string, number> = new Map();
const NO_HEADS: DrawnHeads = { own: undefined, positionOf: () => undefined, isHidden: () => false };
const GESTURES = ["pointerdown", "keydown"] as const;

/** The voices of one visit of a scene. */
export class SceneVoice {
  /** The heads of the view, which replaces this. */
  heads: () => DrawnHeads = () => NO_HEADS;
  readonly #options: SceneVoiceOptions;
  readonly #listeners = new Set<() => void>();
  readonly #stops: (() => void)[];
  /** Moves the voices to the heads while some are heard. */
  #placing: ReturnType<typeof setInterval> | undefined;
  #loading: Promise<VoiceEngine> | undefined;
  #engine: VoiceEngine | undefined;
  #talkBefore: TalkState = OFF;
  /** Other people whose microphone is on. */
  readonly #microphones = new Set<string>();
  /** Whether hearing began, or failed less than `VOICE_RETRY_MS` ago. */
  #isListening = false;
  #hasAudio = false;
  #mode: TalkMode;
  /** Id of the microphone to use; `undefined` for the system's. */
  #microphoneId: string | undefined;
  /** Whether the key or button of the mode `push` is held. The microphone may take a moment to open. */
  #isHeld = false;
  #isClosed = false;

  constructor(options: SceneVoiceOptions) {
    this.#options = options;
    [this.#mode, this.#microphoneId] = [options.mode, options.microphone];
    const { session, presses } = options;
    this.#stops = [
      session.voices.follow(() => {
        this.#handleRights();
        this.#notify();
      }),
      session.on("person", ({ idTag, person }) => {
        this.#noteMicrophone(idTag, person);
        this.#listenIfNeeded();
      }),
      session.on("object", ({ objectId }) => objectId === OPTIONS_ID && this.#fade()),
      session.on("reset", () => {
        this.#fade();
        this.#microphones.clear();
        for (const [idTag, person] of session.people) this.#noteMicrophone(idTag, person);
        this.#listenIfNeeded();
      }),
    ];
    for (const [idTag, person] of session.people) this.#noteMicrophone(idTag, person);
    for (const kind of GESTURES) presses.addEventListener(kind, this.#resume, { capture: true, passive: true });
    this.#listenIfNeeded();
  }

  /** This person's rights; `null` in a scene without voice. */
  get rights(): FlowRights | null {
    return this.#options.session.voices.rights;
  }

  /** The own voice. */
  get talk(): TalkState {
    return this.#engine?.talk ?? this.#talkBefore;
  }

  /** People who speak now: loudness in −dBov by idTag. */
  get speaking(): ReadonlyMap<string, number> {
    return this.#engine?.speaking ?? NOBODY;
  }

  /** Outputs in use with their delays, for measurements. */
  get slots(): VoiceEngine["slots"] {
    return this.#engine?.slots ?? [];
  }

  /** Whether voices wait for a press or key. */
  get needsGesture(): boolean {
    return this.#engine?.needsGesture ?? false;
  }

  /** The microphone in use. */
  get microphone(): VoiceEngine["microphone"] {
    return this.#engine?.microphone;
  }

  /** Whether people hear themselves from this person's loudspeaker. */
  get hasEcho(): boolean {
    return this.#engine?.hasEcho ?? false;
  }

  get mode(): TalkMode {
    return this.#mode;
  }

  set mode(mode: TalkMode) {
    this.#mode = mode;
    this.#engine?.mute(mode === "push", mode);
    this.#notify();
  }

  /** Starts talking, then mutes or unmutes. */
  toggle(): void {
    const { talk } = this;
    if (talk.kind === "talking") this.#engine?.mute(!talk.isMuted, this.#mode);
    else if (talk.kind !== "starting") void this.startTalking();
  }

  /** Unmutes while the key or button of the mode `push` is held. */
  hold(isHeld: boolean): void {
    const { talk } = this;
    if (this.#mode !== "push" || talk.kind !== "talking") return;
    // A release also mutes a voice that the menu in VR has unmuted.
    if (isHeld ? this.#isHeld : !this.#isHeld && talk.isMuted) return;
    this.#isHeld = isHeld;
    this.#engine?.mute(!isHeld, "push");
  }

  /** Calls `listener` on changes until the returned function is called. */
  follow(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** Starts talking, or changes the microphone. Without one, it is the one used before. */
  async startTalking(deviceId: string | undefined = this.#microphoneId): Promise<void> {
    this.#microphoneId = deviceId;
    this.#talkBefore = { kind: "starting" };
    this.#notify();
    try {
      const engine = await this.#load();
      if (this.#isClosed) return;
      if (this.rights?.speak !== true) return engine.stopTalking("forbidden");
      this.#isHeld = false;
      await engine.startTalking(deviceId, this.#mode === "push");
      this.#fade();
    } catch {
      this.#talkBefore = { kind: "hindered", hindrance: "codec" };
      this.#notify();
    }
  }

  stopTalking(): void {
    this.#engine?.stopTalking();
  }

  /** Ends hearing and talking. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#placing);
    for (const stop of this.#stops) stop();
    for (const kind of GESTURES) this.#options.presses.removeEventListener(kind, this.#resume, { capture: true });
    this.#engine?.close();
    this.#listeners.clear();
  }

  /** Ends talking once this person may not speak any more: the realm would drop every word. */
  #handleRights(): void {
    const { kind } = this.talk;
    if (this.rights?.speak !== true && (kind === "talking" || kind === "starting"))
      this.#engine?.stopTalking("forbidden");
    this.#listenIfNeeded();
  }

  /** Keeps sound ready while a microphone of another person is on. */
  #noteMicrophone(idTag: string, person: Person | null): void {
    if (person?.hasAudio === true) this.#microphones.add(idTag);
    else this.#microphones.delete(idTag);
    if (this.#engine !== undefined) this.#engine.expectsVoices = this.#microphones.size > 0;
  }

  /** Starts hearing once another person is there: a person alone needs no script for sound. */
  #listenIfNeeded(): void {
    if (this.#isListening || this.rights?.hear !== true || this.#options.session.people.size === 0) return;
    this.#isListening = true;
    void this.#listen();
  }

  async #listen(): Promise<void> {
    try {
      await (await this.#load()).listen();
      this.#fade();
    } catch {
      // *Talk* reports what is missing; a page that can't play voices shows the scene all the same.
      setTimeout(() => {
        this.#isListening = false;
      }, VOICE_RETRY_MS);
    }
  }

  /** Applies the scene's options to voices. Before they are heard, there are none. */
  #fade(): void {
    this.#engine?.space?.fade(fadingIn(this.#options.session));
  }

  #load(): Promise<VoiceEngine> {
    this.#loading ??= this.#loadEngine().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #loadEngine(): Promise<VoiceEngine> {
    const { session, load, isPhone } = this.#options;
    const engine = await load(session, isPhone ? HEARD_VOICES.phone : HEARD_VOICES.desktop);
    if (this.#isClosed) engine.close();
    else {
      this.#engine = engine;
      engine.expectsVoices = this.#microphones.size > 0;
      this.#stops.push(engine.follow(() => this.#handleEngine(engine)));
    }
    return engine;
  }

  /** Tells people whether the microphone is on, places the voices, and redraws. */
  #handleEngine(engine: VoiceEngine): void {
    const { talk } = engine;
    if (!engine.isPlaying) {
      clearInterval(this.#placing);
      this.#placing = undefined;
    } else if (this.#placing === undefined) {
      this.#place();
      this.#placing = setInterval(() => this.#place(), VOICE_PLACING_MS);
    }
    const hasAudio = talk.kind === "talking" && !talk.isMuted;
    if (hasAudio !== this.#hasAudio) this.#options.session.setLooks({ hasAudio });
    this.#hasAudio = hasAudio;
    this.#notify();
  }

  #place(): void {
    this.#engine?.space?.update(this.heads());
  }

  readonly #resume = (): void => {
    void this.#engine?.resume();
  };

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
