import type { Api } from "@stoa/client";
import { css, html, LitElement, nothing } from "lit";
import { qr } from "../controls/qr-code.ts";
import { networkOrigin } from "../routing/network-origin.ts";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";

/**
 * Explains how to open this page on another device: address, QR code, and certificate setup. Shows nothing if no other
 * device can reach the realm.
 */
export class StoaOtherDevicePanel extends LitElement {
  static override readonly properties = { api: { attribute: false }, path: {}, network: { state: true } };
  static override readonly styles = [
    sharedStyles,
    css`
      :host(:not([hidden])) {
        display: block;
      }
      .join {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-4);
        align-items: center;
      }
      .words {
        flex: 1 1 12rem;
        display: grid;
        gap: var(--space-2);
      }
      .address {
        overflow-wrap: anywhere;
        font-weight: 650;
      }
    `,
  ];
  declare api: Api | undefined;
  /** Path of the page to open: `public/lobby`, or empty for the list of scenes. */
  declare path: string;
  /** The realm's address for other devices; `null` if no other device can reach the realm. */
  declare network: string | null;

  constructor() {
    super();
    this.path = "";
    this.network = null;
  }

  override willUpdate(): void {
    this.hidden = this.network === null;
  }

  override firstUpdated(): void {
    void networkOrigin(this.api, location).then((network) => {
      this.network = network;
    });
  }

  override render() {
    if (this.network === null) return nothing;
    const address = `${this.network}/${this.path}`;
    return html`<div class="join">
      ${qr(address)}
      <div class="words">
        <h3>${texts.share.otherDevice}</h3>
        <p class="address">${address}</p>
        <p class="small muted">${texts.share.scan}</p>
        <a href="/trust">${texts.share.trust}</a>
      </div>
    </div>`;
  }
}
