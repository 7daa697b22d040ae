import type { Credit } from "@stoa/aframe";
import { PLACES } from "@stoa/aframe/meaning";
import type { SceneSession } from "@stoa/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { SessionRedrawController } from "../scene/session-updates.ts";
import type { SceneViewController } from "../scene/stage.ts";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";

/** The scene's landmarks and the authors of its files. */
export class StoaLandmarksPanel extends LitElement {
  static override readonly properties = { session: { attribute: false }, stage: { attribute: false } };
  static override readonly styles = [
    sharedStyles,
    css`
      .list {
        margin-top: var(--space-2);
      }
      li button {
        width: 100%;
        justify-content: flex-start;
        text-align: start;
        overflow-wrap: anywhere;
      }
      h3 {
        margin-top: var(--space-5);
      }
      .credits li {
        overflow-wrap: anywhere;
      }
      p {
        margin-top: var(--space-2);
      }
    `,
  ];
  declare session: SceneSession | undefined;
  declare stage: SceneViewController | undefined;

  constructor() {
    super();
    new SessionRedrawController(this, ["object", "reset"]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener(PLACES, this.#draw);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener(PLACES, this.#draw);
  }

  /** Redraws the list when a model has loaded, which may contain landmarks. */
  readonly #draw = (): void => this.requestUpdate();

  override render(): TemplateResult {
    const landmarks = this.stage?.landmarks() ?? [];
    const credits = this.stage?.credits() ?? [];
    return html`${
      landmarks.length === 0
        ? html`<p class="muted">${texts.places.none}</p>`
        : html`<ul class="list">
              ${landmarks.map(
                ({ objectId, label }) =>
                  html`<li><button type="button" @click=${() => this.stage?.goTo(objectId)}>${texts.places.goTo(label)}</button></li>`,
              )}
            </ul>`
    }
      ${credits.length === 0 ? nothing : html`<h3>${texts.places.credits}</h3><ul class="list credits">${credits.map(credited)}</ul>`}`;
  }
}

function credited({ title, author, authorURL, license, licenseURL, source, sourceURL }: Credit): TemplateResult {
  const parts = [linked(title ?? source, sourceURL), linked(author, authorURL), linked(license, licenseURL)];
  const said = parts.filter((part) => part !== null);
  return html`<li>${said.map((part, at) => html`${at === 0 ? nothing : " · "}${part}`)}</li>`;
}

function linked(words: string | undefined, url: string | undefined): TemplateResult | null {
  if (words === undefined && url === undefined) return null;
  const shown = words ?? url;
  return url === undefined
    ? html`<span>${shown}</span>`
    : html`<a href=${url} target="_blank" rel="noopener noreferrer">${shown}</a>`;
}
