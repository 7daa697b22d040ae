/** Who is chosen in a list of people, and what is about to be done with them: the same beside the 3D view and in the text view. */
import type { Api, SceneSession } from "@stoa/client";
import { html, nothing, type TemplateResult } from "lit";
import { texts } from "../texts/texts.ts";
import { type Deed, deedButtons, mayModerate } from "./stoa-moderate.ts";

/** The list. */
interface Host {
  readonly api: Api | undefined;
  readonly session: SceneSession | undefined;
  readonly scene: string;
  readonly renderRoot: ParentNode;
  requestUpdate(): void;
}

/** Draws what a list of people says and asks beside their names. */
export class ModerationControls {
  readonly #host: Host;
  #chosen = "";
  #deed: Deed | undefined;
  #moderates = false;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Whether the realm has said that this person moderates here. */
  get moderates(): boolean {
    return this.#moderates;
  }

  isChosen(idTag: string): boolean {
    return this.#chosen === idTag;
  }

  /** Shows what else can be done about somebody, and hides it again. */
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

  /** A moderator's buttons; none for others. */
  deeds(): readonly TemplateResult[] {
    if (!this.#moderates) return [];
    return deedButtons((deed) => this.#ask(deed));
  }

  /** The question about a deed, the door, and what was decided before. */
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
      @stoa-decided=${() => this.#decided()}
    ></stoa-moderate>`;
  }

  #ask(deed: Deed | undefined): void {
    this.#deed = deed;
    this.#host.requestUpdate();
  }

  /** Whoever reads goes on at the person whom it was about. */
  #decided(): void {
    this.#ask(undefined);
    this.#host.renderRoot.querySelector<HTMLElement>(`#${CSS.escape(`more-${this.#chosen}`)}`)?.focus();
  }
}
