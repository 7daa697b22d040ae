/**
 * The selected person in a list of people and the pending moderation action. Shared by the 3D view and the text view.
 */
import type { Api, SceneSession } from "@stoa/client";
import { html, nothing, type TemplateResult } from "lit";
import { texts } from "../texts/texts.ts";
import { type Deed, deedButtons, mayModerate } from "./stoa-moderate.ts";

/** The host element. */
interface Host {
  readonly api: Api | undefined;
  readonly session: SceneSession | undefined;
  readonly scene: string;
  readonly renderRoot: ParentNode;
  requestUpdate(): void;
}

/** Draws the moderation controls beside the names in a list of people. */
export class ModerationControls {
  readonly #host: Host;
  #chosen = "";
  #deed: Deed | undefined;
  #moderates = false;

  constructor(host: Host) {
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

  /** A moderator's buttons; empty for others. */
  deeds(): readonly TemplateResult[] {
    if (!this.#moderates) return [];
    return deedButtons((deed) => this.#ask(deed));
  }

  /** The confirmation of an action, the scene's lock, and the current mutes and bans. */
  room(): TemplateResult | typeof nothing {
    const { api, session, scene } = this.#host;
    if (session === undefined || api === undefined || !mayModerate(session)) return nothing;
    return html`<stoa-moderate
      .api=${api}
      .scene=${scene}
      .person=${session.people.get(this.#chosen)}
      .deed=${this.#deed}
      @stoa-moderates=${() => {
        this.#moderates = true;
        this.#host.requestUpdate();
      }}
      @stoa-decided=${() => this.#returnFocus()}
    ></stoa-moderate>`;
  }

  #ask(deed: Deed | undefined): void {
    this.#deed = deed;
    this.#host.requestUpdate();
  }

  /** Returns the focus to the person's row. */
  #returnFocus(): void {
    this.#ask(undefined);
    this.#host.renderRoot.querySelector<HTMLElement>(`#${CSS.escape(`more-${this.#chosen}`)}`)?.focus();
  }
}
