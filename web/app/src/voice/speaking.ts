/** Signs of voices beside people's names. */
import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from "lit";
import { icon } from "../styles/icons.ts";
import { texts } from "../texts/texts.ts";
import type { SceneVoice } from "./scene-voice.ts";

/** An icon for a person who speaks, or whose microphone is off; nothing in a scene without voice. */
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

/** Redraws a list of people when one begins or ends to speak. */
export class SpeakingController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #voice: () => SceneVoice | undefined;
  #followed: SceneVoice | undefined;
  #stop: (() => void) | undefined;
  #drawn = "";

  constructor(host: ReactiveControllerHost, voice: () => SceneVoice | undefined) {
    [this.#host, this.#voice] = [host, voice];
    host.addController(this);
  }

  hostUpdate(): void {
    const voice = this.#voice();
    if (voice === this.#followed) return;
    this.#stop?.();
    this.#followed = voice;
    this.#stop = voice?.follow(() => {
      const speaking = [...voice.speaking.keys()].sort().join("\n");
      if (speaking !== this.#drawn) this.#host.requestUpdate();
      this.#drawn = speaking;
    });
  }

  hostDisconnected(): void {
    this.#stop?.();
    [this.#stop, this.#followed] = [undefined, undefined];
  }
}
