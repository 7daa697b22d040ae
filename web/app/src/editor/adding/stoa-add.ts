import type { SceneSession } from "@stoa/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { NEW_AHEAD_M } from "../../limits.ts";
import type { ScenePoint, SceneViewController } from "../../scene/stage.ts";
import { sections, sharedStyles, tiles } from "../../styles/shared.ts";
import { texts } from "../../texts/texts.ts";
import type { Editor } from "../editor.ts";
import { DropTarget } from "../files/drop-target.ts";
import { ACCEPTED, endingOf, kindOf, objectFor, pathOf } from "../files/file-kinds.ts";
import { bytesInWords } from "../files/storage-quota.ts";
import { DROPPED_FILES_MAX } from "../limits.ts";
import { newId } from "../objects/ids.ts";
import { others, type PaletteEntry, shapes } from "./palette.ts";
import type { SceneUploads } from "./scene-uploads.ts";

const words = texts.edit.add;

/** The add tab: shapes, other objects without a file, and files by selection, drop or URL. */
export class StoaAddTab extends LitElement {
  static override readonly properties = {
    editor: { attribute: false },
    session: { attribute: false },
    stage: { attribute: false },
    scene: {},
    active: { type: Boolean },
    uploads: { attribute: false },
    version: { type: Number },
    wrong: { state: true },
    isOver: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    sections,
    tiles,
    css`
      :host([hidden]) {
        display: none;
      }
      .tiles button {
        padding-inline: var(--space-2);
      }
      .drop {
        display: none;
      }
      @media (hover: hover) {
        .drop {
          display: inline;
        }
      }
      .over {
        outline: 3px dashed var(--accent);
        outline-offset: 4px;
        border-radius: var(--radius);
      }
    `,
  ];
  declare editor: Editor | undefined;
  declare session: SceneSession | undefined;
  declare stage: SceneViewController | undefined;
  declare scene: string;
  /** Whether the editor is shown. A hidden editor accepts no drops. */
  declare active: boolean;
  declare wrong: string;
  declare isOver: boolean;
  declare uploads: SceneUploads | undefined;
  /** Grows with each change of the uploads, so that the tab renders again. */
  declare version: number;

  constructor() {
    super();
    this.scene = "";
    this.version = 0;
    this.active = true;
    this.wrong = "";
    this.isOver = false;
    new DropTarget(this, {
      over: (isOver) => {
        this.isOver = isOver;
      },
      dropped: (files, { clientX, clientY }) => {
        if (!this.active || this.#isGuest) return;
        this.#take(files, this.stage?.placeAt(clientX, clientY, NEW_AHEAD_M));
      },
    });
  }

  override render() {
    return html`<section aria-label=${words.shapes}>
        <h3>${words.shapes}</h3>
        <div class="tiles">${shapes.map((piece) => this.#piece(piece))}</div>
      </section>
      <section aria-label=${words.others}>
        <h3>${words.others}</h3>
        <div class="tiles">${others(this.scene).map((piece) => this.#piece(piece))}</div>
      </section>
      <section aria-label=${words.files} class=${this.isOver ? "over" : ""}>
        <h3>${this.isOver ? words.dropHere : words.files}</h3>
        ${this.#isGuest ? html`<p class="muted">${texts.edit.files.guest}</p>` : this.#files()}
        <form @submit=${(event: Event) => this.#byAddress(event)}>
          <span class="pair"
            ><label>${words.addressLabel}<input name="address" inputmode="url" autocomplete="off" placeholder=${words.addressExample} /></label
            ><button>${words.addAddress}</button></span
          >
        </form>
        ${this.wrong === "" ? nothing : html`<p class="told wrong" role="alert">${this.wrong}</p>`}
      </section>
      ${
        this.#isGuest || this.session === undefined
          ? nothing
          : html`<stoa-your-files
              .editor=${this.editor}
              .folder=${this.uploads?.folder ?? ""}
              .version=${this.uploads?.uploads.sent ?? 0}
            ></stoa-your-files>`
      }
      <stoa-uploads .uploads=${this.uploads?.uploads} .version=${this.version}></stoa-uploads>`;
  }

  #piece(piece: PaletteEntry): TemplateResult {
    return html`<button type="button" @click=${() => this.editor?.add(piece)}>${piece.label}</button>`;
  }

  #files(): TemplateResult {
    return html`<button type="button" @click=${() => this.#choose()}>${words.choose}</button>
      <input
        type="file"
        multiple
        hidden
        aria-hidden="true"
        accept=${ACCEPTED.join(",")}
        @change=${(event: Event) => this.#chosen(event)}
      />
      <p class="muted">${words.accepted} <span class="drop">${words.drop}</span> ${this.#quotaInWords}</p>`;
  }

  get #quotaInWords(): string {
    const quota = this.uploads?.quota;
    if (typeof quota !== "object") return "";
    const { fileBytesMax, bytesMax, usedBytes } = quota;
    return words.quota(bytesInWords(fileBytesMax), bytesInWords(Math.max(0, bytesMax - usedBytes)));
  }

  get #isGuest(): boolean {
    return this.uploads?.quota === "guest";
  }

  #choose(): void {
    const input = this.renderRoot.querySelector("input[type=file]");
    if (input instanceof HTMLInputElement) input.click();
  }

  #chosen({ target }: Event): void {
    if (!(target instanceof HTMLInputElement)) return;
    this.#take([...(target.files ?? [])]);
    target.value = "";
  }

  #take(files: readonly File[], at?: ScenePoint): void {
    this.wrong = files.length > DROPPED_FILES_MAX ? texts.edit.files.tooManyDropped(DROPPED_FILES_MAX) : "";
    this.uploads?.add(files.slice(0, DROPPED_FILES_MAX), at);
  }

  async #byAddress(event: Event): Promise<void> {
    event.preventDefault();
    const { target } = event;
    const address = target instanceof HTMLFormElement ? String(new FormData(target).get("address") ?? "").trim() : "";
    const path = pathOf(address, location.origin);
    const kind = kindOf(path);
    if (kind === undefined || kind === "scene" || kind === "part") {
      this.wrong = words.badAddress;
      return;
    }
    this.wrong = "";
    const objectId = newId(endingOf(path));
    await this.editor?.addAs(objectId, objectFor(kind, address, { objectId }));
  }
}
