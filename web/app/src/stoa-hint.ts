import { css, html, LitElement, nothing } from "lit";
import { look } from "./look.ts";
import type { Preferences } from "./preferences.ts";

/** Says how to move, until somebody has read it once. */
export class StoaHint extends LitElement {
  static override readonly properties = { preferences: { attribute: false } };
  static override readonly styles = [
    look,
    css`
      :host {
        display: block;
        pointer-events: none;
      }
      .card {
        display: flex;
        gap: 0.75rem;
        align-items: center;
        width: fit-content;
        max-width: 100%;
        padding: 0.5rem 0.5rem 0.5rem 1rem;
        border-radius: var(--radius);
        background: var(--panel-glass);
        border: 1px solid var(--line);
        box-shadow: var(--shadow);
      }
      ul {
        list-style: none;
        margin: 0;
        padding: 0;
        display: flex;
        flex-wrap: wrap;
        gap: 0.1rem 1rem;
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
          gap: 0.4rem;
          padding: 0.6rem 0.75rem;
          font-size: 0.9rem;
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
    return html`<section class="card" aria-label="How to move">
      <ul class="keys">
        <li><kbd>W A S D</kbd> or arrow keys walk</li>
        <li>Drag to look around</li>
        <li>Click what lights up</li>
      </ul>
      <ul class="touch">
        <li>The round pad walks</li>
        <li>Drag to look around</li>
        <li>Tap things to try them</li>
      </ul>
      <button type="button" @click=${() => this.#read()}>Got it</button>
    </section>`;
  }

  #read(): void {
    if (this.preferences !== undefined) this.preferences.hinted = true;
    this.requestUpdate();
  }
}
