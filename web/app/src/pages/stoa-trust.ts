import type { Api } from "@stoa/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { brand } from "../controls/brand.ts";
import { qr } from "../controls/qr-code.ts";
import { isLoopback, networkOrigin } from "../routing/network-origin.ts";
import { icon } from "../styles/icons.ts";
import { column, sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";
import { type CertificateTrustResult, type Device, deviceOf, fingerprintOf, trustOf } from "./certificate-trust.ts";

const words = texts.trust;
const DEVICES: readonly Device[] = ["android", "ios", "quest", "windows", "macos", "linux"];
const CERTIFICATE = "/api/v1/ca.pem";

/** Explains how each kind of device can trust the realm's certificate, offers it, and checks the result. */
export class StoaCertificatePage extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    trust: { state: true },
    fingerprint: { state: true },
    network: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    column,
    css`
      .state {
        display: flex;
        gap: var(--space-2);
        align-items: center;
      }
      .address,
      code {
        overflow-wrap: anywhere;
      }
      code {
        font-size: var(--text-s);
      }
      details + details {
        border-top: 1px solid var(--line);
      }
      summary {
        cursor: pointer;
        font-weight: 650;
        min-height: var(--target);
        padding: var(--space-3) 0;
      }
      ol {
        margin: 0 0 var(--space-4);
        padding-left: var(--space-5);
        display: grid;
        gap: var(--space-2);
      }
    `,
  ];
  declare api: Api | undefined;
  /** `undefined` during the check. */
  declare trust: CertificateTrustResult | undefined;
  declare fingerprint: string | undefined;
  /** The realm's origin for other devices. */
  declare network: string | null;

  constructor() {
    super();
    this.network = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#check();
    void this.#count();
  }

  /** Requests the realm's origin only now: an `api` set before the element's script loaded isn't available earlier. */
  override firstUpdated(): void {
    void networkOrigin(this.api, location).then((network) => {
      this.network = network;
    });
  }

  override render(): TemplateResult {
    const own = deviceOf(navigator.userAgent);
    const steps = words.devices;
    return html`<main>
      <header>${brand()}</header>
      <h1>${words.title}</h1>
      <p>${words.why}</p>
      <section class="card" aria-labelledby="this">
        <h2 id="this">${words.thisDevice}</h2>
        <p class="state" role="status">
          ${this.trust === "trusted" ? icon("check") : nothing} ${this.trust === undefined ? words.checking : words.states[this.trust]}
        </p>
        ${this.trust === "own" ? this.#elsewhere() : nothing}
        <p class="muted small">${"WebTransport" in globalThis ? words.quick : words.slower}</p>
        <div><button type="button" @click=${() => void this.#check()}>${words.check}</button></div>
      </section>
      <section class="card" aria-labelledby="download">
        <h2 id="download">${words.download}</h2>
        <div><a class="button primary" href=${CERTIFICATE} download="stoa-ca.crt">${icon("download")}${words.download}</a></div>
        ${
          this.fingerprint === undefined
            ? nothing
            : html`<p>${words.fingerprint} <code>${this.fingerprint}</code></p>
                <p class="muted small">${words.compare}</p>`
        }
      </section>
      <section class="card" aria-labelledby="steps">
        <h2 id="steps">${words.steps}</h2>
        <div>
          ${DEVICES.map(
            (device) => html`<details ?open=${device === own}>
              <summary>${steps[device].name}</summary>
              <ol>
                ${steps[device].steps.map((step) => html`<li>${step}</li>`)}
              </ol>
            </details>`,
          )}
        </div>
      </section>
    </main>`;
  }

  #elsewhere(): TemplateResult {
    if (this.network === null) return html`<p>${words.nowhere}</p>`;
    const address = `${this.network}/trust`;
    return html`<p>${words.elsewhere}</p>
      <p class="address"><strong>${address}</strong></p>
      <div>${qr(address)}</div>`;
  }

  async #check(): Promise<void> {
    this.trust = undefined;
    const { serviceWorker } = navigator;
    this.trust = await trustOf({
      secure: isSecureContext,
      loopback: isLoopback(location.hostname),
      register: serviceWorker === undefined ? undefined : () => serviceWorker.register("/sw.js"),
    });
  }

  async #count(): Promise<void> {
    try {
      const answer = await fetch(CERTIFICATE);
      if (answer.ok) this.fingerprint = await fingerprintOf(await answer.text());
    } catch {
      // The realm is offline; the page shows no fingerprint.
    }
  }
}
