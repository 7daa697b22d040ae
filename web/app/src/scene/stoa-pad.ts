import { css, html, LitElement } from "lit";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";

/** Direction of movement: -1 to 1 on each axis, x to the right, z backwards. */
export interface WalkDirection {
  readonly x: number;
  readonly z: number;
}

/** A touch pad for walking. Emits `stoa-walk` with a {@link WalkDirection}. */
export class StoaWalkingPad extends LitElement {
  static override readonly properties = { x: { state: true }, z: { state: true } };
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: block;
      }
      .pad {
        width: 7.5rem;
        height: 7.5rem;
        border-radius: 50%;
        background: var(--panel-glass);
        border: 1px solid var(--line);
        box-shadow: var(--shadow);
        touch-action: none;
        display: block;
        padding: 0;
      }
      svg {
        width: 100%;
        height: 100%;
        display: block;
        pointer-events: none;
      }
    `,
  ];
  declare x: number;
  declare z: number;

  constructor() {
    super();
    this.x = 0;
    this.z = 0;
  }

  override render() {
    return html`<div
      class="pad"
      role="img"
      aria-label=${texts.pad.walk}
      @pointerdown=${(event: PointerEvent) => this.#start(event)}
      @pointermove=${(event: PointerEvent) => this.#drag(event)}
      @pointerup=${() => this.#move(0, 0)}
      @pointercancel=${() => this.#move(0, 0)}
      @lostpointercapture=${() => this.#move(0, 0)}
    >
      <svg viewBox="-50 -50 100 100" aria-hidden="true">
        <g fill="none" stroke="var(--muted)" stroke-width="3" stroke-linecap="round" stroke-linejoin="round">
          <path d="M-6-36 0-42l6 6M-6 36 0 42l6-6M-36-6-42 0l6 6M36-6 42 0l-6 6" />
        </g>
        <circle cx=${this.x * 26} cy=${this.z * 26} r="17" fill="var(--accent)" />
      </svg>
    </div>`;
  }

  #start(event: PointerEvent): void {
    if (event.currentTarget instanceof Element) event.currentTarget.setPointerCapture(event.pointerId);
    event.preventDefault();
    this.#drag(event, true);
  }

  #drag(event: PointerEvent, first = false): void {
    const pad = event.currentTarget;
    if (!(pad instanceof Element) || !(first || pad.hasPointerCapture(event.pointerId))) return;
    const { left, top, width, height } = pad.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * 2 - 1;
    const z = ((event.clientY - top) / height) * 2 - 1;
    const length = Math.max(1, Math.hypot(x, z));
    this.#move(x / length, z / length);
  }

  #move(x: number, z: number): void {
    if (x === this.x && z === this.z) return;
    this.x = x;
    this.z = z;
    this.dispatchEvent(
      new CustomEvent<WalkDirection>("stoa-walk", { detail: { x, z }, bubbles: true, composed: true }),
    );
  }
}
