/**
 * Draws the options for a person in a list of people, and keeps the selected person and the pending moderation action.
 * Used by the 3D view and the text view.
 */
import type { Api, ListeningClient, SceneSession } from "@stoa/client";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { texts } from "../texts/texts.ts";
import { deedButtons, type ModerationAction, mayModerate } from "./stoa-moderate.ts";

/** The host element. */
interface ModerationControlsHost {
  readonly api: Api | undefined;
  readonly session: SceneSession | undefined;
  readonly scene: string;
  readonly renderRoot: ParentNode;
  requestUpdate(): void;
}

/** The moderation controls of one list of people. */
export class PeopleModerationController {
  readonly #host: ModerationControlsHost;
  #chosen = "";
  #deed: ModerationAction | undefined;
  #moderates = false;
  #listening: readonly ListeningClient[] = [];

  constructor(host: ModerationControlsHost) {
    this.#host = host;
  }

  /** Whether the realm confirmed that this user moderates the scene. */
  get moderates(): boolean {
    return this.#moderates;
  }

  isChosen(idTag: string): boolean {
    return this.#chosen === idTag;
  }

  /** The button that shows and hides the options for a person. */
  more(idTag: string, name: string): TemplateResult {
    const isChosen = this.isChosen(idTag);
    return html`<button
      type="button"
      id="more-${idTag}"
      aria-expanded=${isChosen}
      aria-label=${texts.people.more(name)}
      @click=${() => {
        this.#deed = undefined;
        this.#chosen = isChosen ? "" : idTag;
        this.#host.requestUpdate();
      }}
    >
      …
    </button>`;
  }

  /** A moderator's buttons for the selected person; empty for other users. */
  deeds(): readonly TemplateResult[] {
    if (!this.#moderates) return [];
    return deedButtons((deed) => this.#ask(deed));
  }

  /** Clients that hear the scene and have not joined it, with their options; only for moderators. */
  listening(): TemplateResult | typeof nothing {
    const listening = this.#silent();
    if (listening.length === 0) return nothing;
    return html`<section aria-labelledby="listening">
      <h3 id="listening">${texts.people.listening(listening.length)}</h3>
      <p class="muted">${texts.people.listeningMeans}</p>
      <ul class="list">
        ${repeat(
          listening,
          ({ idTag }) => idTag,
          ({ idTag, displayName, account }) =>
            html`<li>
              <span class="who"><span>${displayName} <span class="muted">(${account ?? texts.people.guest})</span></span></span>
              ${this.more(idTag, displayName)}
              ${this.isChosen(idTag) ? html`<div class="row-of-buttons">${this.deeds()}</div>` : nothing}
            </li>`,
        )}
      </ul>
    </section>`;
  }

  /** The confirmation of an action, the scene's lock, and the current mutes and bans. */
  room(): TemplateResult | typeof nothing {
    const { api, session, scene } = this.#host;
    if (session === undefined || api === undefined || !mayModerate(session)) return nothing;
    return html`<stoa-moderate
      .api=${api}
      .scene=${scene}
      .person=${session.people.get(this.#chosen) ?? this.#silent().find(({ idTag }) => this.isChosen(idTag))}
      .deed=${this.#deed}
      @stoa-moderates=${({ detail }: CustomEvent<readonly ListeningClient[]>) => {
        this.#moderates = true;
        this.#listening = detail;
        this.#host.requestUpdate();
      }}
      @stoa-decided=${() => this.#returnFocus()}
    ></stoa-moderate>`;
  }

  /** Listening clients that have not joined since they were listed, without this client. */
  #silent(): readonly ListeningClient[] {
    const { session } = this.#host;
    return this.#listening.filter(({ idTag }) => idTag !== session?.me.idTag && session?.people.has(idTag) !== true);
  }

  #ask(deed: ModerationAction | undefined): void {
    this.#deed = deed;
    this.#host.requestUpdate();
  }

  /** Ends the pending action and returns the focus to the button of the person's options. */
  #returnFocus(): void {
    this.#ask(undefined);
    this.#host.renderRoot.querySelector<HTMLElement>(`#${CSS.escape(`more-${this.#chosen}`)}`)?.focus();
  }
}
