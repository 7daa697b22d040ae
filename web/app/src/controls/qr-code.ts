import { html, type TemplateResult } from "lit";
import { texts } from "../texts/texts.ts";

/** A QR code of an address, drawn by the realm; hidden if the realm can't draw it. */
export function qr(address: string): TemplateResult {
  return html`<img
    class="qr"
    src="/api/v1/qr.svg?text=${encodeURIComponent(address)}"
    alt=${texts.share.qr(address)}
    width="200"
    height="200"
    @error=${(event: Event) => {
      if (event.target instanceof HTMLElement) event.target.hidden = true;
    }}
    @load=${(event: Event) => {
      if (event.target instanceof HTMLElement) event.target.hidden = false;
    }}
  />`;
}
