import { REACTIONS } from "@stoa/aframe/reactions";
import { css, html, LitElement } from "lit";
import { KEYS, type OwnGestureController, REACTION_NAMES } from "../scene/avatar-gestures.ts";
import { icon } from "../styles/icons.ts";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";

/** Buttons for reactions, the raised hand and the pointing beam. */
export class StoaReactionButtons extends LitElement {
  static override readonly properties = {
    gestures: { attribute: false },
    raised: { type: Boolean },
    pointing: { type: Boolean },
  };
  static override readonly styles = [
    sharedStyles,
    css`
      .shapes {
        display: grid;
        grid-template-columns: repeat(3, 1fr);
        gap: var(--space-2);
        margin-block: var(--space-3);
      }
      .shapes button {
        position: relative;
        white-space: nowrap;
        flex-direction: column;
        gap: var(--space-1);
        font-size: var(--text-xs);
      }
      .shapes svg {
        width: 1.75rem;
        height: 1.75rem;
      }
      .lasting {
        display: grid;
        gap: var(--space-2);
      }
      .lasting button {
        justify-content: start;
        gap: var(--space-2);
      }
      kbd {
        font: inherit;
        color: var(--muted);
      }
      .lasting kbd {
        margin-inline-start: auto;
      }
      /* In the corner, since a digit behind the name would read as a count. */
      .shapes kbd {
        position: absolute;
        top: var(--space-1);
        inset-inline-end: var(--space-2);
      }
      @media (hover: none) {
        kbd {
          display: none;
        }
      }
    `,
  ];
  declare gestures: OwnGestureController | undefined;
  declare raised: boolean;
  declare pointing: boolean;

  constructor() {
    super();
    this.raised = false;
    this.pointing = false;
  }

  override render() {
    return html`<div class="shapes" role="group" aria-label=${texts.react.shapes}>
        ${REACTION_NAMES.map(
          (reaction, at) => html`<button
            type="button"
            aria-keyshortcuts=${at + 1}
            @click=${() => this.gestures?.react(reaction)}
          >
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d=${REACTIONS[reaction].path} fill=${REACTIONS[reaction].color} fill-rule="evenodd" />
            </svg>
            <span>${texts.react.names[reaction]}</span><kbd aria-hidden="true">${at + 1}</kbd>
          </button>`,
        )}
      </div>
      <div class="lasting">
        <button
          type="button"
          aria-pressed=${this.raised}
          aria-keyshortcuts=${KEYS.raise}
          @click=${() => this.gestures?.raiseHand(!this.raised)}
        >
          ${icon("hand")}${this.raised ? texts.react.lower : texts.react.raise} <kbd aria-hidden="true">${KEYS.raise}</kbd>
        </button>
        <button
          type="button"
          aria-pressed=${this.pointing}
          aria-keyshortcuts=${KEYS.point}
          @click=${() => this.gestures?.point(!this.pointing)}
        >
          ${icon("pointer")}${this.pointing ? texts.react.stopPointing : texts.react.point} <kbd aria-hidden="true">${KEYS.point}</kbd>
        </button>
      </div>`;
  }
}
