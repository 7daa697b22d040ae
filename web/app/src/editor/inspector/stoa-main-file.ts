import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { typedIn } from "../../controls/form-fields.ts";
import type { SceneViewController } from "../../scene/stage.ts";
import { sharedStyles } from "../../styles/shared.ts";
import { texts } from "../../texts/texts.ts";
import type { SceneUploads } from "../adding/scene-uploads.ts";
import type { Editor } from "../editor.ts";
import { endingsFor, kindOf, pathOf } from "../files/file-kinds.ts";
import type { MainFileReplacement, MainFileSlot } from "../files/main-file.ts";

const words = texts.edit.details.file;

/** The file that an object shows or plays: selected from the computer or by address, with its loading error. */
export class StoaMainFileField extends LitElement {
  static override readonly properties = {
    editor: { attribute: false },
    stage: { attribute: false },
    uploads: { attribute: false },
    version: { type: Number },
    objectId: {},
    file: { attribute: false },
  };
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
        gap: var(--space-2);
      }
    `,
  ];
  declare editor: Editor | undefined;
  declare stage: SceneViewController | undefined;
  declare uploads: SceneUploads | undefined;
  /** Incremented by each change of the uploads. */
  declare version: number;
  declare objectId: string;
  declare file: MainFileSlot | undefined;
  #listening = new AbortController();

  constructor() {
    super();
    this.version = 0;
    this.objectId = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    for (const type of ["stoa-broken", "stoa-mended"])
      this.ownerDocument.addEventListener(type, () => this.requestUpdate(), { signal });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#listening.abort();
  }

  override render() {
    const { file, objectId } = this;
    if (file === undefined) return nothing;
    const broken = this.stage?.brokenOf(objectId);
    return html`${this.uploads?.quota === "guest" ? html`<p class="muted small">${texts.edit.files.guest}</p>` : this.#chooser(file)}
      <label
        >${words.address}<input
          inputmode="url"
          autocomplete="off"
          placeholder=${words.example}
          aria-describedby="why"
          .value=${file.url}
          @change=${(event: Event) => this.#named(typedIn(event).trim(), file)}
      /></label>
      <p id="why" class="wrong" role="status">${broken === undefined ? nothing : words.broken(texts.loading.reasons[broken.code])}</p>
      <stoa-uploads .uploads=${this.uploads?.uploads} .version=${this.version} .into=${objectId}></stoa-uploads>`;
  }

  #chooser({ kind, takes }: MainFileSlot): TemplateResult {
    return html`<button type="button" @click=${() => this.#choose()}>${words.choose[kind]}</button>
      <input
        type="file"
        hidden
        aria-hidden="true"
        ?multiple=${kind === "model"}
        accept=${[...endingsFor(takes), ...(kind === "model" ? endingsFor(["part"]) : [])].join(",")}
        @change=${(event: Event) => this.#chosen(event)}
      />`;
  }

  #choose(): void {
    this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click();
  }

  #chosen({ target }: Event): void {
    const { file, objectId } = this;
    if (!(target instanceof HTMLInputElement) || file === undefined) return;
    this.uploads?.give([...(target.files ?? [])], {
      objectId,
      takes: file.takes,
      put: (chosen) => this.editor?.showFile(objectId, chosen) ?? Promise.resolve(false),
    });
    target.value = "";
  }

  /** Sets the file by its address. The extension gives the kind; if the object rejects it, its first kind counts. */
  #named(url: string, { takes }: MainFileSlot): void {
    const kind = kindOf(pathOf(url, location.origin));
    const [first] = takes;
    const chosen = takes.find((one) => one === kind) ?? first;
    if (chosen === undefined) return;
    const file: MainFileReplacement = { kind: chosen, url };
    void this.editor?.showFile(this.objectId, file);
  }
}
