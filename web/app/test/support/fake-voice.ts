import type { FlowRights } from "@stoa/client";
import type { TalkState } from "@stoa/voice";
import { vi } from "vitest";
import type { SceneVoice, TalkMode } from "../../src/voice/scene-voice.ts";

/** The parts of a {@link SceneVoice} that buttons, panels and lists use. */
export class FakeVoice {
  rights: FlowRights | null = { speak: true, hear: true };
  talk: TalkState = { kind: "off" };
  speaking: ReadonlyMap<string, number> = new Map();
  needsGesture = false;
  hasEcho = false;
  microphone: SceneVoice["microphone"];
  mode: TalkMode = "open";
  heads: SceneVoice["heads"] = () => ({ own: undefined, positionOf: () => undefined, isHidden: () => false });
  readonly toggle = vi.fn();
  readonly hold = vi.fn();
  readonly startTalking = vi.fn(async () => undefined);
  readonly stopTalking = vi.fn();
  readonly #listeners = new Set<() => void>();

  /** This as the type that elements take. */
  get asVoice(): SceneVoice {
    return this as unknown as SceneVoice;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes the state as an engine does, which notifies the listeners. */
  set(state: Partial<Pick<FakeVoice, "rights" | "talk" | "speaking" | "needsGesture" | "hasEcho" | "mode">>): void {
    Object.assign(this, state);
    for (const listener of this.#listeners) listener();
  }

  /** Talks, muted or not. */
  setTalking(isMuted: boolean): void {
    this.set({ talk: { kind: "talking", isMuted, level: 127, isSpeech: false } });
  }
}
