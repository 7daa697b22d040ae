/** The button that starts talking, then mutes and unmutes. */
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../styles/icons.ts";
import { texts } from "../texts/texts.ts";
import type { SceneVoice } from "./scene-voice.ts";

/** The button with the styles of a toolbar; nothing in a scene without voice, or without the right to speak. */
export function talkButton(voice: SceneVoice | undefined): TemplateResult | typeof nothing {
  if (voice?.rights?.speak !== true) return nothing;
  const { talk } = voice;
  if (talk.kind !== "talking") return start(voice, talk.kind === "starting");
  return voice.mode === "push" ? hold(voice, talk.isMuted) : mute(voice, talk.isMuted);
}

function start(voice: SceneVoice, isStarting: boolean): TemplateResult {
  return html`<button
    type="button"
    class="tool"
    data-talk
    ?disabled=${isStarting}
    aria-keyshortcuts="M"
    @click=${() => voice.toggle()}
  >
    ${icon("microphone")}<span class="label">${isStarting ? texts.voice.starting : texts.voice.talk}</span>
  </button>`;
}

function mute(voice: SceneVoice, isMuted: boolean): TemplateResult {
  return html`<button type="button" class="tool" data-talk aria-keyshortcuts="M" @click=${() => voice.toggle()}>
    ${icon(isMuted ? "muted" : "microphone")}<span class="label">${isMuted ? texts.voice.unmute : texts.voice.mute}</span>
  </button>`;
}

function hold(voice: SceneVoice, isMuted: boolean): TemplateResult {
  const release = () => voice.hold(false);
  const byKey = (event: KeyboardEvent, isHeld: boolean) => {
    if (event.key === " " || event.key === "Enter") voice.hold(isHeld);
  };
  return html`<button
    type="button"
    class="tool"
    data-talk
    aria-pressed=${!isMuted}
    aria-keyshortcuts="M"
    @pointerdown=${() => voice.hold(true)}
    @pointerup=${release}
    @pointercancel=${release}
    @pointerleave=${release}
    @keydown=${(event: KeyboardEvent) => byKey(event, true)}
    @keyup=${(event: KeyboardEvent) => byKey(event, false)}
    @blur=${release}
  >
    ${icon(isMuted ? "muted" : "microphone")}<span class="label">${texts.voice.hold}</span>
  </button>`;
}
