import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { sharedStyles } from "../../styles/shared.ts";
import { texts } from "../../texts/texts.ts";
import { bytesInWords } from "./storage-quota.ts";
import type { Upload, UploadQueue } from "./uploads.ts";

const words = texts.edit.files;

/** The list of uploads with their progress and results. */
export class StoaUploadList extends LitElement {
  static override readonly properties = { uploads: { attribute: false }, version: { attribute: false }, into: {} };
  static override readonly styles = [
    sharedStyles,
    css`
      .list {
        margin-top: var(--space-2);
      }
      h3 {
        font-size: var(--text-m);
        font-weight: 650;
      }
      li {
        display: grid;
        grid-template-columns: auto 1fr auto;
        gap: var(--space-1) var(--space-2);
        align-items: center;
        border-top: 1px solid var(--line);
        padding-top: var(--space-2);
      }
      img {
        width: 2.75rem;
        height: 2.75rem;
        object-fit: cover;
        border-radius: var(--radius-s);
        grid-row: span 2;
      }
      .name,
      .words {
        overflow-wrap: anywhere;
        grid-column: 2;
      }
      .close {
        border-color: transparent;
        background: transparent;
        padding: 0 var(--space-2);
        grid-column: 3;
        grid-row: 1;
      }
      progress {
        grid-column: 2 / -1;
        width: 100%;
        accent-color: var(--accent);
      }
      .words {
        font-size: var(--text-s);
        grid-column: 2 / -1;
      }
    `,
  ];
  declare uploads: UploadQueue | undefined;
  /** Incremented by each change. */
  declare version: number;
  /** Shows only the uploads for this object; `undefined` shows all. */
  declare into: string | undefined;

  override render() {
    const { into, uploads } = this;
    const list = (uploads?.list ?? []).filter((upload) => into === undefined || upload.into === into);
    if (list.length === 0) return nothing;
    return html`<section aria-label=${texts.edit.add.uploads}>
      ${into === undefined ? html`<h3>${texts.edit.add.uploads}</h3>` : nothing}
      <ul class="list">${list.map((upload) => this.#item(upload))}</ul>
    </section>`;
  }

  #item(upload: Upload): TemplateResult {
    const { name, bytes, state, done, words: said, mayInsist, thumbnailUrl } = upload;
    const isRunning = state !== "done" && state !== "failed";
    return html`<li data-upload=${upload.id} data-state=${state}>
      ${thumbnailUrl === undefined ? html`<span></span>` : html`<img src=${thumbnailUrl} alt="" />`}
      <span class="name">${name} <small class="muted">${bytesInWords(bytes)}</small></span>
      <button type="button" class="close" aria-label=${isRunning ? words.stop(name) : words.dismiss(name)} @click=${() => this.uploads?.dismiss(upload.id)}>✕</button>
      <span class=${`words ${state === "failed" ? "wrong" : "muted"}`} role=${state === "failed" ? "alert" : "status"}
        >${words.states[state]}${said === "" ? nothing : html`. ${said}`}</span
      >
      ${isRunning ? html`<progress aria-label=${`${name}: ${words.states[state]}`} max="1" .value=${done}></progress>` : nothing}
      ${mayInsist ? html`<button type="button" class="words" @click=${() => this.uploads?.insist(upload.id)}>${words.insist}</button>` : nothing}
    </li>`;
  }
}
