import { css, html, LitElement, nothing } from "lit";
import type { Preferences } from "../preferences/preferences.ts";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";

/** Shows how to move, until the user has closed it once. */
export class StoaMovementHint extends LitElement {
  static override readonly properties = { preferences: { attribute: false } };
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        pointer-events: none;
      }
      .card {
        display: flex;
        gap: var(--space-3);
        align-items: center;
        width: fit-content;
        max-width: 100%;
        padding: var(--space-2) var(--space-2) var(--space-2) var(--space-4);
        border-radius: var(--radius);
        background: var(--panel-glass);
        border: 1px solid var(--line);
        box-shadow: var(--shadow);
      }
      .list {
        display: flex;
        flex-wrap: wrap;
        gap: 0 var(--space-4);
      }
      kbd {
        font: inherit;
        font-weight: 650;
      }
      button {
        pointer-events: auto;
        flex: none;
      }
      @media (pointer: fine), (pointer: none) {
        .touch {
          display: none;
        }
      }
      @media (pointer: coarse) {
        .keys {
          display: none;
        }
      }
      @media (max-width: 40rem) {
        .card {
          flex-wrap: wrap;
          gap: var(--space-2);
          padding: var(--space-2) var(--space-3);
          font-size: var(--text-s);
        }
        ul {
          flex-direction: column;
        }
      }
    `,
  ];
  declare preferences: Preferences | undefined;

  override render() {
    if (this.preferences === undefined || this.preferences.hinted) return nothing;
    return html`<section class="card" aria-label=${texts.hint.title}>
      <ul class="list keys">
        <li><kbd>${texts.hint.walkKeys}</kbd> ${texts.hint.orArrows}</li>
        <li><kbd>${texts.hint.turnKeys}</kbd> ${texts.hint.turn}</li>
        <li>${texts.hint.drag}</li>
        <li>${texts.hint.click}</li>
      </ul>
      <ul class="list touch">
        <li>${texts.hint.pad}</li>
        <li>${texts.hint.drag}</li>
        <li>${texts.hint.tap}</li>
      </ul>
      <button type="button" @click=${() => this.#read()}>${texts.hint.gotIt}</button>
    </section>`;
  }

  #read(): void {
    if (this.preferences !== undefined) this.preferences.hinted = true;
    this.requestUpdate();
  }
}
