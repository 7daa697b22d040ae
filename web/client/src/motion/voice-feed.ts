/** Keeps a scene's voices across reconnections of the motion plane, and connects their sound with each. */
import { DECLARED_FLOWS_MAX } from "../limits.ts";
import type { FlowRights, SceneVoices, VoicePlayer, VoiceSource } from "../types.ts";
import type { MotionPlane } from "./plane-listener.ts";

/** The implementation of {@link SceneVoices}. */
export class VoiceFeed implements SceneVoices {
  readonly #listeners = new Set<() => void>();
  readonly #speakers = new Map<number, string>();
  #rights: FlowRights | null = null;
  #player: VoicePlayer | undefined;
  #source: VoiceSource | undefined;
  #plane: MotionPlane | undefined;

  get rights(): FlowRights | null {
    return this.#rights;
  }

  speakerOf(voice: number): string | undefined {
    return this.#speakers.get(voice);
  }

  follow(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  hear(player: VoicePlayer | undefined): void {
    this.#player = player;
    this.#connectPlayer();
  }

  speak(source: VoiceSource | undefined): void {
    this.#source = source;
    this.#connectSource();
  }

  /** Connects player and source with a new plane. */
  handlePlane(plane: MotionPlane): void {
    this.#plane = plane;
    if (this.#player !== undefined) this.#connectPlayer();
    if (this.#source !== undefined) this.#connectSource();
  }

  handleVoice(voice: number, idTag: string): void {
    this.#speakers.delete(voice);
    this.#speakers.set(voice, idTag);
    const [oldest] = this.#speakers.keys();
    if (this.#speakers.size > DECLARED_FLOWS_MAX && oldest !== undefined) this.#speakers.delete(oldest);
    this.#notify();
  }

  handleRights(rights: FlowRights | null): void {
    const isSame = rights?.speak === this.#rights?.speak && rights?.hear === this.#rights?.hear;
    this.#rights = rights;
    if (!isSame) this.#notify();
  }

  #connectPlayer(): void {
    const player = this.#player;
    this.#plane?.hear(player === undefined ? undefined : { port: player.openPort(), voices: player.hears });
  }

  #connectSource(): void {
    const source = this.#source;
    this.#plane?.speak(source === undefined ? undefined : { port: source.openPort(), epoch: source.epoch });
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
