import type { Account, Api, SceneSession } from "@stoa/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { textOf, typedIn } from "../controls/form-fields.ts";
import { sendFile } from "../editor/files/send-file.ts";
import { type AvatarAppearance, LOOK_COLORS, modelPath, PLAIN_LOOKS } from "../preferences/avatar-appearance.ts";
import type { Preferences } from "../preferences/preferences.ts";
import type { SceneViewController } from "../scene/stage.ts";
import { fields, sharedStyles } from "../styles/shared.ts";
import { errorText } from "../texts/error-texts.ts";
import { texts } from "../texts/texts.ts";

/** The user's avatar settings. Changes are saved and apply at once, a model after it has been loaded here. */
export class StoaAvatarSettings extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    session: { attribute: false },
    stage: { attribute: false },
    preferences: { attribute: false },
    account: { state: true },
    result: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    fields,
    css`
      .colors {
        display: grid;
        grid-template-columns: repeat(8, minmax(0, 1fr));
        gap: var(--space-1);
      }
      .colors button {
        min-height: 2.25rem;
        padding: 0;
        justify-content: center;
      }
      .colors svg {
        width: 1.25rem;
        height: 1.25rem;
      }
    `,
  ];
  declare api: Api | undefined;
  declare session: SceneSession | undefined;
  declare stage: SceneViewController | undefined;
  declare preferences: Preferences | undefined;
  declare account: Account | undefined;
  declare result: string;

  constructor() {
    super();
    this.result = "";
  }

  override firstUpdated(): void {
    this.api?.me().then(
      (account) => {
        this.account = account;
      },
      () => undefined,
    );
  }

  get looks(): AvatarAppearance {
    return this.preferences?.looks ?? PLAIN_LOOKS;
  }

  override render() {
    const { body, color, model } = this.looks;
    return html`<fieldset>
      <legend>${texts.looks.title}</legend>
      <div class="colors" role="group" aria-label=${texts.looks.color}>
        ${[...LOOK_COLORS].map((one, at) => this.#swatch(one, texts.looks.colors[at] ?? one, one === color))}
      </div>
      <label
        >${texts.looks.body}<select
          name="body"
          @change=${(event: Event) => this.#change({ body: typedIn(event) === "half" ? "half" : "full" })}
        >
          <option value="full" ?selected=${body === "full"}>${texts.looks.full}</option>
          <option value="half" ?selected=${body === "half"}>${texts.looks.half}</option>
        </select></label
      >
      <form class="pair" @submit=${(event: SubmitEvent) => this.#useModel(event)}>
        <label>${texts.looks.model}<input name="model" placeholder=${texts.looks.modelExample} .value=${model} /></label>
        <button>${texts.looks.use}</button>
      </form>
      ${this.account?.username ? this.#upload() : nothing}
      <p class="told" role="status">${this.result === "" ? nothing : this.result}</p>
    </fieldset>`;
  }

  /** The button of a colour; a second press of the selected colour restores the default one. */
  #swatch(color: string, name: string, chosen: boolean): TemplateResult {
    return html`<button
      type="button"
      aria-label=${name}
      aria-pressed=${chosen}
      @click=${() => this.#change({ color: chosen ? "" : color })}
    >
      <svg viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill=${color}></circle></svg>
    </button>`;
  }

  #upload(): TemplateResult {
    return html`<label
      >${texts.looks.upload}<input type="file" accept=".glb,.vrm" @change=${(event: Event) => void this.#send(event)}
    /></label>`;
  }

  async #send(event: Event): Promise<void> {
    const { target } = event;
    const file = target instanceof HTMLInputElement ? target.files?.[0] : undefined;
    const username = this.account?.username;
    if (file === undefined || !username) return;
    const name = file.name.replaceAll(/[^A-Za-z0-9_.-]+/g, "-");
    const path = `users/${username}/avatars/${name}`;
    this.result = texts.looks.sending;
    try {
      await sendFile(file, { path, onProgress: () => undefined, signal: new AbortController().signal });
    } catch (error) {
      this.result = texts.looks.notSent(errorText(error));
      return;
    }
    await this.#try(`/store/${path}`);
  }

  #useModel(event: SubmitEvent): void {
    event.preventDefault();
    void this.#try(textOf(event.target, "model").trim());
  }

  /** Loads the model here first, so that this user sees its errors and other people don't. */
  async #try(address: string): Promise<void> {
    const model = address === "" ? "" : modelPath(address, location.origin);
    if (model === null) {
      this.result = texts.looks.notHere;
      return;
    }
    this.result = model === "" ? "" : texts.looks.trying;
    const refusal = model === "" ? null : await this.stage?.checkModel(model);
    if (refusal === null || refusal === undefined) {
      this.#change({ model });
      this.result = model === "" ? "" : texts.looks.worn;
    } else this.result = texts.looks.refusals[refusal.reason](refusal.found, refusal.limit);
  }

  #change(part: Partial<AvatarAppearance>): void {
    const looks = { ...this.looks, ...part };
    if (this.preferences !== undefined) this.preferences.looks = looks;
    const { model, body } = looks;
    const color = this.preferences?.color;
    this.session?.setLooks({ headModelPath: model, ...(color === undefined ? {} : { color }) });
    this.stage?.setDoing({ body });
    this.requestUpdate();
  }
}
