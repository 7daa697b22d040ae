import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { typedIn } from "../../controls/form-fields.ts";
import { SEARCH_FROM } from "../../limits.ts";
import { sharedStyles } from "../../styles/shared.ts";
import { texts } from "../../texts/texts.ts";
import { type AddableBehaviour, offersOf } from "./abilities.ts";

const words = texts.edit.abilities;

/** The list of behaviours that can be added, each with its effect. Emits `stoa-ability` with the chosen name. */
export class StoaAddableBehaviourList extends LitElement {
  static override readonly properties = {
    offered: { attribute: false },
    search: { state: true },
    isOpen: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: block;
      }
      summary {
        cursor: pointer;
        min-height: var(--target-small);
        padding-block: var(--space-1);
        font-weight: 650;
      }
      .inner {
        display: grid;
        gap: var(--space-3);
        padding-top: var(--space-2);
      }
      h4 {
        margin: 0 0 var(--space-1);
        font-size: var(--text-s);
        font-weight: 650;
        color: var(--muted);
      }
      li button {
        width: 100%;
        display: grid;
        grid-template-columns: 1fr auto;
        gap: 0 var(--space-2);
        align-items: baseline;
        padding: var(--space-2);
        text-align: start;
      }
      .does {
        grid-column: 1 / -1;
        font-size: var(--text-s);
      }
      .key {
        font-size: var(--text-xs);
        overflow-wrap: anywhere;
      }
    `,
  ];
  /** Schema names. */
  declare offered: readonly string[];
  declare search: string;
  declare isOpen: boolean;

  constructor() {
    super();
    this.offered = [];
    this.search = "";
    this.isOpen = false;
  }

  override render() {
    return html`<details ?open=${this.isOpen} @toggle=${(event: Event) => this.#toggled(event)}>
      <summary>${words.add}</summary>
      ${this.isOpen ? this.#list() : nothing}
    </details>`;
  }

  #list(): TemplateResult {
    const groups = offersOf(this.offered, this.search);
    return html`<div class="inner">
      ${
        this.offered.length < SEARCH_FROM
          ? nothing
          : html`<label>${words.search}<input type="search" .value=${this.search} @input=${(event: Event) => this.#look(event)} /></label>`
      }
      ${groups.length === 0 ? html`<p class="muted" role="status">${words.noMatch}</p>` : nothing}
      ${groups.map(
        ({ title, offers }) => html`<section aria-label=${title}>
          <h4>${title}</h4>
          <ul class="list">
            ${offers.map((offer) => this.#offer(offer))}
          </ul>
        </section>`,
      )}
    </div>`;
  }

  #offer({ key, name, does }: AddableBehaviour): TemplateResult {
    return html`<li>
      <button type="button" data-ability=${key} @click=${() => this.#choose(key)}>
        <span>${name}</span><small class="key muted">${key}</small><small class="does muted">${does}</small>
      </button>
    </li>`;
  }

  #look(event: Event): void {
    this.search = typedIn(event);
  }

  #toggled({ target }: Event): void {
    if (target instanceof HTMLDetailsElement) this.isOpen = target.open;
  }

  #choose(key: string): void {
    this.isOpen = false;
    this.search = "";
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("summary")?.focus());
    this.dispatchEvent(new CustomEvent<string>("stoa-ability", { detail: key, bubbles: true, composed: true }));
  }
}
