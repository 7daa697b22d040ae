import type { Api, Person, SceneSession } from "@stoa/client";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { PeopleModerationController } from "../panels/moderation-controls.ts";
import { known, raised } from "../panels/stoa-people.ts";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";
import type { SceneVoice } from "../voice/scene-voice.ts";
import { SpeakingController, speaking } from "../voice/speaking.ts";
import { bearingInWords, button } from "./descriptions.ts";
import type { NearbyEntry } from "./nearby.ts";
import { entryStyles } from "./text-styles.ts";
import type { Visit } from "./visit.ts";

const words = texts.textView;

/** The people in the scene with their bearings, and with the actions of the 3D view's people panel. */
export class StoaTextPeopleList extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    session: { attribute: false },
    visit: { attribute: false },
    voice: { attribute: false },
    scene: {},
    people: { attribute: false },
  };
  static override readonly styles = [sharedStyles, entryStyles];
  declare api: Api | undefined;
  declare session: SceneSession | undefined;
  declare visit: Visit | undefined;
  declare voice: SceneVoice | undefined;
  declare scene: string;
  declare people: readonly NearbyEntry<Person>[];
  readonly #moderating = new PeopleModerationController(this);

  constructor() {
    super();
    this.scene = "";
    this.people = [];
    new SpeakingController(this, () => this.voice);
  }

  override render(): TemplateResult | typeof nothing {
    const { session, visit } = this;
    if (session === undefined || visit === undefined) return nothing;
    return html`<div class="stack">
      ${this.people.length === 0 ? html`<p class="muted">${words.alone}</p>` : nothing}
      <ul class="list" ?hidden=${this.people.length === 0}>
        ${repeat(
          this.people,
          ({ id }) => id,
          (near) => this.#person(near, visit),
        )}
      </ul>
      ${this.#moderating.listening()}
      ${this.#moderating.room()}
    </div>`;
  }

  #person({ id, of: person, bearing }: NearbyEntry<Person>, visit: Visit): TemplateResult {
    const { displayName: name, doing, hasAudio } = person;
    const isHidden = visit.hidden.has(id);
    const where = bearing === undefined ? words.far : bearingInWords(bearing);
    return html`<li>
      <div class="what">
        <h3>${name}${known(id, name)}</h3>
        ${speaking(this.voice, id, hasAudio)}${doing?.handRaised === true ? raised() : nothing}
        <span class="muted">${isHidden ? words.hidden : where}</span>
      </div>
      <div class="row-of-buttons">
        ${bearing === undefined || isHidden ? nothing : this.#ways(visit, id, name)}
        ${button(isHidden ? texts.people.showAgain : texts.people.hide, name, () => visit.hidden.set(id, !isHidden))}
        ${this.#moderating.moderates ? this.#moderating.more(id, name) : nothing}
      </div>
      ${this.#moderating.isChosen(id) ? html`<div class="row-of-buttons">${this.#moderating.deeds()}</div>` : nothing}
    </li>`;
  }

  #ways(visit: Visit, id: string, name: string): TemplateResult {
    return html`${button(words.goTo, name, () => visit.setOut({ kind: "person", name, id }))}
    ${button(words.follow, name, () => visit.setOut({ kind: "follow", name, id }))}`;
  }
}
