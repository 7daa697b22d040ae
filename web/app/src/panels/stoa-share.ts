import type { Api, SceneSession } from "@stoa/client";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { networkOrigin } from "../routing/network-origin.ts";
import type { SceneViewController } from "../scene/stage.ts";
import { sections, sharedStyles } from "../styles/shared.ts";
import { errorText } from "../texts/error-texts.ts";
import { texts } from "../texts/texts.ts";

/** The link to the scene, with its QR code; for editors also the scene's picture, for an owner invitations. */
export class StoaShareLinkPanel extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    session: { attribute: false },
    stage: { attribute: false },
    scene: {},
    network: { state: true },
    result: { state: true },
  };
  static override readonly styles = [sharedStyles, sections];
  declare api: Api | undefined;
  declare session: SceneSession | undefined;
  declare stage: SceneViewController | undefined;
  declare scene: string;
  /** The realm's origin for other devices, `null` if unknown; this page's own address may be a loopback address. */
  declare network: string | null;
  declare result: string;

  constructor() {
    super();
    this.scene = "";
    this.network = null;
    this.result = "";
  }

  override firstUpdated(): void {
    void networkOrigin(this.api, location).then((network) => {
      this.network = network;
    });
  }

  override render() {
    const link = `${this.network ?? location.origin}/${this.scene}`;
    return html`<div class="pair">
        <label>${texts.share.linkToScene}<input name="link" readonly .value=${link} /></label>
        <button type="button" class="primary" @click=${() => this.#copy(link)}>${texts.share.copy}</button>
      </div>
      <stoa-join .api=${this.api} .path=${this.scene}></stoa-join>
      ${this.#forEditors()}
      <p class="told" role="status">${this.result === "" ? nothing : this.result}</p>`;
  }

  /** For editors with an account the scene's picture, for an owner also invitations. */
  #forEditors(): TemplateResult | typeof nothing {
    const { me } = this.session ?? {};
    if (me === undefined || me.guest || me.role === "viewer") return nothing;
    const base = this.network ?? location.origin;
    return html`<div>
        <button type="button" @click=${() => void this.#takePicture()}>${texts.share.takePicture}</button>
      </div>
      ${
        me.role === "owner"
          ? html`<stoa-invitations .api=${this.api} .scene=${this.scene} .base=${base}></stoa-invitations>`
          : nothing
      }`;
  }

  async #takePicture(): Promise<void> {
    try {
      const picture = await this.stage?.picture();
      if (picture === undefined) this.result = texts.share.noPicture;
      else {
        await this.api?.putPicture(this.scene, picture);
        this.result = texts.share.pictureTaken;
      }
    } catch (error) {
      this.result = errorText(error);
    }
  }

  #copy(link: string): void {
    const { clipboard } = navigator;
    if (clipboard === undefined) {
      // Plain HTTP has no clipboard API, so the link is selected for the user to copy.
      this.renderRoot.querySelector<HTMLInputElement>("input[name=link]")?.select();
      this.result = texts.share.pressToCopy;
      return;
    }
    clipboard.writeText(link).then(
      () => {
        this.result = texts.share.copied;
      },
      () => {
        this.result = link;
      },
    );
  }
}
