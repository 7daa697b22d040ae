/** Signs of voices beside people's names. */
import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from "lit";
import { icon } from "../styles/icons.ts";
import { texts } from "../texts/texts.ts";
import type { SceneVoice } from "./scene-voice.ts";

/** The icon of a speaker or of a microphone that is on; nothing in a scene without voice. */
export function speaking(
  voice: SceneVoice | undefined,
  idTag: string,
  hasAudio = false,
): TemplateResult | typeof nothing {
  if (voice?.rights == null) return nothing;
  if (voice.speaking.has(idTag)) return sign("speaking", texts.voice.speaking);
  return hasAudio ? sign("microphone", texts.voice.isOn) : nothing;
}

function sign(name: "speaking" | "microphone", label: string): TemplateResult {
  return html`<span role="img" data-voice=${name} aria-label=${label} title=${label}>${icon(name)}</span>`;
}

/**
 * Calls `listener` with the present speakers, at once if there are any and after each change, until the returned
 * function is called or the voices are closed.
 */
export function followSpeakers(voice: SceneVoice, listener: (idTags: ReadonlySet<string>) => void): () => void {
  let before = "";
  const check = (): void => {
    const idTags = [...voice.speaking.keys()].sort();
    const now = idTags.join("\n");
    if (now !== before) listener(new Set(idTags));
    before = now;
  };
  check();
  return voice.follow(check);
}

/** Redraws a list of people when one begins or ends to speak. */
export class SpeakingController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #voice: () => SceneVoice | undefined;
  #followed: SceneVoice | undefined;
  #stop: (() => void) | undefined;

  constructor(host: ReactiveControllerHost, voice: () => SceneVoice | undefined) {
    [this.#host, this.#voice] = [host, voice];
    host.addController(this);
  }

  hostUpdate(): void {
    const voice = this.#voice();
    if (voice === this.#followed) return;
    this.#stop?.();
    this.#followed = voice;
    this.#stop = voice && followSpeakers(voice, () => this.#host.requestUpdate());
  }

  hostDisconnected(): void {
    this.#stop?.();
    [this.#stop, this.#followed] = [undefined, undefined];
  }
}
