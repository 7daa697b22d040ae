import { type Api, accountOf, colorOf, type Person, type SceneSession } from "@stoa/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { typedIn } from "../controls/form-fields.ts";
import { SEARCH_FROM } from "../limits.ts";
import type { HiddenPeople } from "../scene/hidden-people.ts";
import { SessionRedrawController } from "../scene/session-updates.ts";
import type { SceneViewController } from "../scene/stage.ts";
import { icon } from "../styles/icons.ts";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";
import type { SceneVoice } from "../voice/scene-voice.ts";
import { SpeakingController, speaking } from "../voice/speaking.ts";
import { PeopleModerationController } from "./moderation-controls.ts";

/**
 * The people in the scene with their actions: find, go to, hide; for moderators mute, remove, ban and the scene's lock.
 */
export class StoaPeoplePanel extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    session: { attribute: false },
    stage: { attribute: false },
    voice: { attribute: false },
    hiddenPeople: { attribute: false },
    scene: {},
    sought: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
        gap: var(--space-2);
      }
      .list {
        gap: var(--space-1);
        max-height: 40dvh;
        overflow: auto;
      }
      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--space-1) var(--space-2);
        min-height: var(--target-small);
        overflow-wrap: anywhere;
      }
      .who {
        flex: 1;
        min-width: 8rem;
        display: flex;
        align-items: center;
        gap: var(--space-2);
      }
      .deeds {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-1);
        flex-basis: 100%;
        padding-bottom: var(--space-1);
      }
      svg {
        flex: none;
        width: 0.9rem;
        height: 0.9rem;
      }
    `,
  ];
  declare api: Api | undefined;
  declare session: SceneSession | undefined;
  declare stage: SceneViewController | undefined;
  declare voice: SceneVoice | undefined;
  /** Hidden people; their chat messages aren't shown either. */
  declare hiddenPeople: HiddenPeople | undefined;
  declare scene: string;
  declare sought: string;
  readonly #moderating = new PeopleModerationController(this);

  constructor() {
    super();
    this.scene = "";
    this.sought = "";
    new SessionRedrawController(this, ["person", "reset", "status"]);
    new SpeakingController(this, () => this.voice);
  }

  override render() {
    const { session } = this;
    if (session === undefined) return html``;
    const others = [...session.people.values()].sort((a, b) => a.displayName.localeCompare(b.displayName));
    const wanted = this.sought.trim().toLocaleLowerCase();
    const found = others.filter(({ displayName }) => displayName.toLocaleLowerCase().includes(wanted));
    const { me } = session;
    return html`${others.length < SEARCH_FROM ? nothing : this.#search()}
      <ul class="list">
        <li><span class="who">${dot(colorOf(me.idTag))}<span>${me.displayName} <span class="muted">${texts.people.you(texts.people.roles[me.role])}</span></span></span></li>
        ${repeat(
          found,
          ({ idTag }) => idTag,
          (person) => this.#person(person),
        )}
      </ul>
      ${this.#moderating.listening()}
      ${this.#moderating.room()}`;
  }

  #search(): TemplateResult {
    return html`<label
      >${texts.people.find}<input
        type="search"
        .value=${this.sought}
        @input=${(event: Event) => {
          this.sought = typedIn(event);
        }}
    /></label>`;
  }

  #person({ idTag, displayName, color, doing, hasAudio }: Person): TemplateResult {
    const name = html`<span class="who">${dot(color)}<span>${displayName}${known(idTag, displayName)}</span>${speaking(this.voice, idTag, hasAudio)}${doing?.handRaised === true ? raised() : nothing}</span>`;
    if (this.stage === undefined) return html`<li>${name}</li>`;
    return html`<li>
      ${name}
      ${this.#moderating.more(idTag, displayName)}
      ${this.#moderating.isChosen(idTag) ? this.#deeds(this.stage, idTag, displayName) : nothing}
    </li>`;
  }

  #deeds(stage: SceneViewController, idTag: string, name: string): TemplateResult {
    const hidden = stage.isHidden(idTag);
    return html`<div class="deeds">
      <button type="button" @click=${() => stage.meet(idTag)}>${texts.people.goTo(name)}</button>
      <button
        type="button"
        aria-pressed=${hidden}
        @click=${() => {
          stage.hide(idTag, !hidden);
          this.hiddenPeople?.set(idTag, !hidden);
          this.requestUpdate();
        }}
      >
        ${hidden ? texts.people.showAgain : texts.people.hide}
      </button>
      ${this.#moderating.deeds()}
    </div>`;
  }
}

/** A person's account in parentheses, if it differs from the display name, which people choose freely. */
export function known(idTag: string, displayName: string) {
  const account = accountOf(idTag);
  return account === displayName ? nothing : html` <span class="muted">(${account})</span>`;
}

/** An icon for a raised hand. */
export function raised() {
  return html` <span role="img" aria-label=${texts.people.handRaised} title=${texts.people.handRaised}>${icon("hand")}</span>`;
}

const COLOR = /^#[0-9a-fA-F]{3,8}$/;

/** A dot in a person's colour, an SVG attribute: a style built from another person's data would be unsafe. */
function dot(color: string) {
  return html`<svg viewBox="0 0 10 10" aria-hidden="true">
    <circle cx="5" cy="5" r="5" fill=${COLOR.test(color) ? color : "currentColor"}></circle>
  </svg>`;
}
