/** Voices without sound: one person speaks, the microphone opens at once, and sound waits for a press as in browsers. */
import type { SceneSession } from "@stoa/client";
import type { TalkState, VoiceEngine } from "@stoa/voice";

const MICROPHONE = { label: "Built-in microphone", deviceId: "own", echoCancellation: "all" };

class SilentEngine {
  talk: TalkState = { kind: "off" };
  readonly speaking: ReadonlyMap<string, number>;
  readonly space = undefined;
  needsGesture = true;
  readonly isPlaying = false;
  readonly hasEcho = false;
  expectsVoices = false;
  microphone: typeof MICROPHONE | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(speakers: readonly string[]) {
    this.speaking = new Map(speakers.map((idTag) => [idTag, 30]));
  }

  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async listen(): Promise<void> {
    this.#notify();
  }

  async resume(): Promise<void> {
    this.needsGesture = false;
    this.#notify();
  }

  async startTalking(): Promise<void> {
    this.microphone = MICROPHONE;
    this.mute(false);
  }

  mute(isMuted: boolean): void {
    this.talk = { kind: "talking", isMuted, level: 30, isSpeech: !isMuted };
    this.#notify();
  }

  stopTalking(): void {
    this.talk = { kind: "off" };
    this.#notify();
  }

  close(): void {
    this.#listeners.clear();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Loads an engine in which these people speak. */
export function silentVoice(speakers: readonly string[]): (session: SceneSession) => Promise<VoiceEngine> {
  return () => Promise.resolve(new SilentEngine(speakers) as unknown as VoiceEngine);
}
