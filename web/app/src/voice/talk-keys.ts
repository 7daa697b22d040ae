import type { VoiceHindrance } from "@stoa/voice";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { SceneVoice } from "./scene-voice.ts";

/** The letter that mutes and unmutes, or is held to talk. */
const KEY = "m";

/** Inputs and callbacks of a {@link TalkController}. */
export interface TalkOptions {
  readonly voice: () => SceneVoice | undefined;
  /** Whether letters are shortcuts. */
  readonly takesKeys: () => boolean;
  /** Called when talking could not start, or ended by itself. */
  readonly onHindered: (hindrance: VoiceHindrance) => void;
  /** Called when people begin to hear themselves from this person's loudspeaker. */
  readonly onEcho: () => void;
}

/** Redraws an element when its voice changes, and handles the key of the own voice. */
export class TalkController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #options: TalkOptions;
  #followed: SceneVoice | undefined;
  #stop: (() => void) | undefined;
  #wasHindered = false;
  #hadEcho = false;
  #drawn = "";

  constructor(host: ReactiveControllerHost, options: TalkOptions) {
    [this.#host, this.#options] = [host, options];
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("keydown", this.#press);
    // Panels stop their keys: a key released in one ends talking too.
    addEventListener("keyup", this.#release, { capture: true });
    addEventListener("blur", this.#letGo);
  }

  hostUpdate(): void {
    const voice = this.#options.voice();
    if (voice === this.#followed) return;
    this.#stop?.();
    this.#followed = voice;
    this.#stop = voice?.follow(() => this.#handleVoice(voice));
  }

  hostDisconnected(): void {
    removeEventListener("keydown", this.#press);
    removeEventListener("keyup", this.#release, { capture: true });
    removeEventListener("blur", this.#letGo);
    this.#stop?.();
    [this.#stop, this.#followed] = [undefined, undefined];
  }

  #handleVoice(voice: SceneVoice): void {
    const { talk } = voice;
    if (talk.kind === "hindered" && !this.#wasHindered) this.#options.onHindered(talk.hindrance);
    if (voice.hasEcho && !this.#hadEcho) this.#options.onEcho();
    [this.#wasHindered, this.#hadEcho] = [talk.kind === "hindered", voice.hasEcho];
    const drawn = drawnState(voice);
    if (drawn !== this.#drawn) this.#host.requestUpdate();
    this.#drawn = drawn;
  }

  readonly #press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || !this.#options.takesKeys()) return;
    const voice = this.#options.voice();
    if (event.key.toLowerCase() !== KEY || voice?.rights?.speak !== true || isTyping(event)) return;
    if (voice.mode === "push" && voice.talk.kind === "talking") voice.hold(true);
    else voice.toggle();
  };

  readonly #release = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() === KEY) this.#options.voice()?.hold(false);
  };

  readonly #letGo = (): void => {
    this.#options.voice()?.hold(false);
  };
}

/** The state in buttons and hints. It omits the level, which changes ten times a second and is in the panel alone. */
function drawnState({ talk, rights, mode, needsGesture, hasEcho }: SceneVoice): string {
  return JSON.stringify([{ ...talk, level: 0, isSpeech: false }, rights, mode, needsGesture, hasEcho]);
}

/** Whether a key belongs to a text field. */
function isTyping(event: Event): boolean {
  const [at] = event.composedPath();
  return (
    at instanceof HTMLTextAreaElement ||
    (at instanceof HTMLInputElement && !["button", "checkbox", "radio", "range"].includes(at.type)) ||
    at instanceof HTMLSelectElement
  );
}
