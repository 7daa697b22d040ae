import type { Api, SceneSummary } from "@stoa/client";
import { css, html, LitElement, type PropertyValues } from "lit";
import { typedIn } from "../../controls/form-fields.ts";
import { nameOf } from "../../scene/scene-card.ts";
import { sharedStyles } from "../../styles/shared.ts";
import { texts } from "../../texts/texts.ts";
import type { FieldPatch } from "./stoa-field.ts";

const words = texts.edit.details;

/** Selects the target scene of a portal from the scenes that the user may enter. Emits `stoa-patch`. */
export class StoaPortalTargetField extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    here: {},
    to: {},
    scenes: { state: true },
    away: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: block;
      }
    `,
  ];
  declare api: Api | undefined;
  /** The scene that contains the portal. */
  declare here: string;
  /** The current target; empty for none. */
  declare to: string;
  declare scenes: readonly SceneSummary[];
  /** Whether the list of scenes is unavailable. */
  declare away: boolean;

  constructor() {
    super();
    this.here = "";
    this.to = "";
    this.scenes = [];
    this.away = false;
  }

  override updated(changed: PropertyValues): void {
    if (changed.has("api")) void this.#ask();
  }

  override render() {
    const listed = this.scenes.map(nameOf).filter((name) => name !== this.here);
    const names = this.to === "" || listed.includes(this.to) ? listed : [this.to, ...listed];
    return html`<label
        >${words.leadsTo}<select @change=${(event: Event) => this.#choose(typedIn(event))}>
          <option value="" ?selected=${this.to === ""} disabled>${words.nowhereYet}</option>
          ${names.map((name) => html`<option value=${name} ?selected=${name === this.to}>${name}</option>`)}
        </select></label
      >${this.away ? html`<p class="muted small">${words.scenesAway}</p>` : ""}`;
  }

  async #ask(): Promise<void> {
    try {
      this.scenes = (await this.api?.scenes()) ?? [];
      this.away = false;
    } catch {
      this.away = true;
    }
  }

  /**
   * Emits a new target and resets the landmark, since landmarks have other names in other scenes: people arrive at the
   * scene's start.
   */
  #choose(scene: string): void {
    if (scene === "" || scene === this.to) return;
    const detail: FieldPatch = { portal: { scene, landmark: "" } };
    this.dispatchEvent(new CustomEvent<FieldPatch>("stoa-patch", { detail, bubbles: true, composed: true }));
  }
}
