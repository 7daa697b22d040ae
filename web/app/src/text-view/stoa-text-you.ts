import { html, LitElement, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { icon } from "../styles/icons.ts";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";
import type { Visit } from "./visit.ts";

const words = texts.textView;
const TURN_RAD = Math.PI / 4;
const STEP_M = 1;

/** The user's direction, movement and gestures as buttons. */
export class StoaTextMovementButtons extends LitElement {
  static override readonly properties = {
    visit: { attribute: false },
    eighth: { type: Number },
    announcement: {},
    announcements: { type: Number },
    raised: { type: Boolean },
    seated: { type: Boolean },
  };
  static override readonly styles = [sharedStyles];
  declare visit: Visit | undefined;
  /** Direction in eighths of a turn, counted from ahead to the left. */
  declare eighth: number;
  /** The current activity. */
  declare announcement: string;
  /** Number of announcements so far. */
  declare announcements: number;
  declare raised: boolean;
  declare seated: boolean;

  constructor() {
    super();
    this.eighth = 0;
    this.announcement = "";
    this.announcements = 0;
    this.raised = false;
    this.seated = false;
  }

  override render(): TemplateResult | typeof nothing {
    const { visit } = this;
    if (visit === undefined) return nothing;
    return html`<div class="stack">
      <p>${words.looking(words.compass[this.eighth] ?? "")}</p>
      <div class="row-of-buttons">
        <button type="button" @click=${() => visit.turn(TURN_RAD)}>${words.turnLeft}</button>
        <button type="button" @click=${() => visit.turn(-TURN_RAD)}>${words.turnRight}</button>
        <button type="button" @click=${() => visit.step(STEP_M)}>${words.stepAhead}</button>
        <button type="button" @click=${() => visit.step(-STEP_M)}>${words.stepBack}</button>
        ${
          this.seated
            ? html`<button type="button" @click=${() => visit.getUp()}>${words.getUp}</button>`
            : html`<button type="button" @click=${() => visit.stop()}>${words.stop}</button>`
        }
        <button type="button" aria-pressed=${this.raised} @click=${() => visit.raiseHand(!this.raised)}>
          ${icon("hand")}${this.raised ? texts.react.lower : texts.react.raise}
        </button>
      </div>
      <p role="status">${keyed(this.announcements, html`<span>${this.announcement}</span>`)}</p>
    </div>`;
  }
}
