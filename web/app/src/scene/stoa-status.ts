import type { Status } from "@stoa/client";
import { css, html, LitElement, nothing } from "lit";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";

/** Shows the connection's status; while connected, only to screen readers. */
export class StoaConnectionStatus extends LitElement {
  static override readonly properties = { status: { attribute: false } };
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        pointer-events: none;
      }
      .bar {
        pointer-events: auto;
        margin: 0 auto;
        width: fit-content;
        max-width: 100%;
        padding: var(--space-2) var(--space-4);
        border-radius: var(--radius-full);
        background: var(--warn-soft);
        border: 1px solid var(--line);
        box-shadow: var(--shadow);
        display: flex;
        gap: var(--space-2);
        align-items: center;
        overflow-wrap: anywhere;
      }
      .bar.refused,
      .bar.closed {
        background: var(--danger-soft);
        border-radius: var(--radius);
        flex-wrap: wrap;
      }
      .dot {
        width: 0.6rem;
        height: 0.6rem;
        flex: none;
        border-radius: 50%;
        background: var(--accent);
      }
      @media (prefers-reduced-motion: no-preference) {
        .dot {
          animation: breathe 1.4s ease-in-out infinite;
        }
      }
      @keyframes breathe {
        50% {
          opacity: 0.25;
        }
      }
    `,
  ];
  declare status: Status;

  constructor() {
    super();
    this.status = { kind: "connecting" };
  }

  override render() {
    const { kind, reason } = this.status;
    const why = kind === "reconnecting" ? reconnectText(this.status) : reason;
    if (kind === "live") return html`<div role="status"><span class="hidden">${texts.status.connected}</span></div>`;
    const over = kind === "refused" || kind === "closed";
    return html`<div role=${over ? "alert" : "status"}>
      <div class="bar ${kind}">
        ${over ? nothing : html`<span class="dot" aria-hidden="true"></span>`}
        <span><strong>${texts.status[kind]}</strong>${why === undefined || why === "" ? nothing : html`${kind === "reconnecting" ? " " : ": "}${why}`}</span>
        ${over ? html`<a class="button" href="/">${texts.shared.allScenes}</a><a class="button" href="">${texts.status.tryAgain}</a>` : nothing}
      </div>
    </div>`;
  }
}

/** The text on a reconnection, for people, without protocol reasons. */
function reconnectText({ reason, hindrance }: Status): string {
  if (reason === undefined) return "";
  return hindrance?.code === "restarting" ? texts.status.restarting : texts.status.away;
}
