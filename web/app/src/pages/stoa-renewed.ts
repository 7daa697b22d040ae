import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";
import type { VersionCheck } from "./version-check.ts";

/** Event on the window after a session reconnected: the realm may have been updated meanwhile. */
export const CAME_BACK = "stoa-came-back";

/** Announces a new version of the pages, after a chunk failed to load or the session reconnected. */
export class StoaNewVersionNotice extends LitElement {
  static override readonly properties = { versionCheck: { attribute: false }, renewed: { state: true } };
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        position: fixed;
        z-index: 10;
        inset: var(--space-3) var(--space-3) auto;
        pointer-events: none;
      }
      .bar {
        pointer-events: auto;
        margin: 0 auto;
        width: fit-content;
        max-width: 100%;
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-2) var(--space-3);
        align-items: center;
        padding: var(--space-2) var(--space-4);
        border-radius: var(--radius);
        background: var(--warn-soft);
        border: 1px solid var(--line);
        box-shadow: var(--shadow);
      }
    `,
  ];
  declare versionCheck: VersionCheck | undefined;
  declare renewed: boolean;

  constructor() {
    super();
    this.renewed = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    for (const sign of ["vite:preloadError", CAME_BACK]) addEventListener(sign, this.#ask);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const sign of ["vite:preloadError", CAME_BACK]) removeEventListener(sign, this.#ask);
  }

  override render(): TemplateResult {
    return html`<div role="status">${this.renewed ? this.#bar() : nothing}</div>`;
  }

  #bar(): TemplateResult {
    return html`<div class="bar">
      <span>${texts.renewed.said}</span>
      <span class="row-of-buttons">
        <button type="button" class="primary" @click=${() => location.reload()}>${texts.renewed.load}</button>
        <button
          type="button"
          @click=${() => {
            this.renewed = false;
          }}
        >
          ${texts.renewed.later}
        </button>
      </span>
    </div>`;
  }

  readonly #ask = (): void => {
    this.versionCheck?.isRenewed().then((renewed) => {
      this.renewed = renewed;
    });
  };
}
