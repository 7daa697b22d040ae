import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { Preferences } from "../preferences/preferences.ts";
import { fields, sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";
import { type SceneVoice, TALK_MODES, type TalkMode } from "./scene-voice.ts";

/** A microphone to choose. */
interface MicrophoneChoice {
  readonly deviceId: string;
  readonly label: string;
}

/** The settings of the own voice: microphone with a level meter, push to talk. */
export class StoaVoicePanel extends LitElement {
  static override readonly properties = {
    voice: { attribute: false },
    preferences: { attribute: false },
    showsHindrance: { attribute: false },
    choices: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    fields,
    css`
      :host {
        display: grid;
        gap: var(--space-3);
      }
      meter {
        width: 100%;
        height: 0.75rem;
      }
    `,
  ];
  declare voice: SceneVoice | undefined;
  declare preferences: Preferences | undefined;
  /** Whether it shows why the person can't talk; default true. */
  declare showsHindrance: boolean;
  declare choices: readonly MicrophoneChoice[];
  #stop: (() => void) | undefined;

  constructor() {
    super();
    this.choices = [];
    this.showsHindrance = true;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    navigator.mediaDevices?.addEventListener?.("devicechange", this.#list);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    navigator.mediaDevices?.removeEventListener?.("devicechange", this.#list);
    this.#stop?.();
    this.#stop = undefined;
  }

  override willUpdate(): void {
    const { voice } = this;
    if (this.#stop !== undefined || voice === undefined) return;
    let wasTalking = voice.talk.kind === "talking";
    this.#stop = voice.follow(() => {
      // Browsers tell the names of devices only while one is in use.
      const isTalking = voice.talk.kind === "talking";
      if (isTalking !== wasTalking) void this.#list();
      wasTalking = isTalking;
      this.requestUpdate();
    });
    void this.#list();
  }

  override render(): TemplateResult | typeof nothing {
    const { voice } = this;
    if (voice === undefined) return nothing;
    return html`${this.#state(voice)} ${this.#microphones(voice)}
      <fieldset>
        <legend>${texts.voice.mode}</legend>
        ${TALK_MODES.map((mode) => this.#mode(voice, mode))}
      </fieldset>
      <p class="muted">${texts.voice.reach}</p>`;
  }

  #state(voice: SceneVoice): TemplateResult {
    const { talk } = voice;
    if (talk.kind === "hindered" && this.showsHindrance)
      return html`<p class="wrong" role="alert">${texts.voice.hindrances[talk.hindrance]}</p>`;
    if (talk.kind !== "talking") return html`<p class="muted">${texts.voice.isOff}</p>`;
    return html`${voice.hasEcho ? html`<p class="wrong">${texts.voice.echo}</p>` : nothing}<label
        >${texts.voice.level}<meter min="0" max="60" .value=${talk.isMuted ? 0 : Math.max(70 - talk.level, 0)}></meter></label
      ><button type="button" @click=${() => voice.stopTalking()}>${texts.voice.stop}</button>`;
  }

  #microphones(voice: SceneVoice): TemplateResult | typeof nothing {
    if (voice.talk.kind !== "talking" || this.choices.length === 0) return nothing;
    const used = voice.microphone?.deviceId;
    const choose = (event: Event) => {
      const { value } = event.target as HTMLSelectElement;
      if (this.preferences !== undefined) this.preferences.microphone = value;
      void voice.startTalking(value);
    };
    return html`<label
      >${texts.voice.microphone}<select @change=${choose}>
        ${this.choices.map(({ deviceId, label }) => html`<option value=${deviceId} ?selected=${deviceId === used}>${label}</option>`)}
      </select></label
    >`;
  }

  #mode(voice: SceneVoice, mode: TalkMode): TemplateResult {
    const choose = () => {
      voice.mode = mode;
      if (this.preferences !== undefined) this.preferences.talkMode = mode;
    };
    return html`<label class="row"
      ><input type="radio" name="mode" .checked=${voice.mode === mode} @change=${choose} />${texts.voice.modes[mode]}</label
    >`;
  }

  readonly #list = async (): Promise<void> => {
    const devices = (await navigator.mediaDevices?.enumerateDevices?.().catch(() => [])) ?? [];
    const inputs = devices.filter(({ kind, label }) => kind === "audioinput" && label !== "");
    this.choices = inputs.map(({ deviceId, label }) => ({ deviceId, label }));
  };
}
