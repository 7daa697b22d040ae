import type { SceneSession } from "@stoa/client";
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { NEW_AHEAD_M } from "../limits.ts";
import { look, sections, tiles } from "../look.ts";
import type { Place, Stage } from "../stage.ts";
import { texts } from "../texts.ts";
import { DropTarget } from "./drop-target.ts";
import type { Editor } from "./editor.ts";
import { ACCEPTED, endingOf, kindOf, objectFor } from "./file-kinds.ts";
import { newId } from "./ids.ts";
import { DROP_APART_M, DROPPED_FILES_MAX, THUMBNAIL_PIXELS } from "./limits.ts";
import { lookAt } from "./look-at-file.ts";
import { workOnModel } from "./model-work.ts";
import { others, type Piece, shapes } from "./palette.ts";
import { askRoom, bytesInWords, type RoomAnswer } from "./room.ts";
import { sendFile } from "./send-file.ts";
import { sorted, Uploads } from "./uploads.ts";

const words = texts.edit.add;

/** What can be added: shapes, light, words, and files by choosing, dropping or address. */
export class StoaAdd extends LitElement {
  static override readonly properties = {
    editor: { attribute: false },
    session: { attribute: false },
    stage: { attribute: false },
    scene: {},
    active: { type: Boolean },
    room: { state: true },
    wrong: { state: true },
    isOver: { state: true },
  };
  static override readonly styles = [
    look,
    sections,
    tiles,
    css`
      :host([hidden]) {
        display: none;
      }
      .tiles button {
        padding-inline: var(--space-2);
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
  declare stage: Stage | undefined;
  declare scene: string;
  /** Whether the editor is shown: only then files may be dropped. */
  declare active: boolean;
  declare room: RoomAnswer | undefined;
  declare wrong: string;
  declare isOver: boolean;
  readonly uploads: Uploads;
  /** Where the last files were dropped. */
  #at: Place | undefined;

  constructor() {
    super();
    this.scene = "";
    this.active = true;
    this.wrong = "";
    this.isOver = false;
    this.uploads = new Uploads({
      room: () => this.#askRoom(),
      folder: () => this.#folder,
      send: sendFile,
      work: workOnModel,
      look: lookAt,
      show: async (objectId, made, place) => {
        const at = this.#at ?? this.stage?.placeAhead(NEW_AHEAD_M) ?? { x: 0, y: 0, z: 0 };
        const beside = { ...at, x: at.x + place * DROP_APART_M };
        if ((await this.editor?.addAs(objectId, made, beside)) !== true)
          throw new Error(texts.edit.files.states.failed);
      },
      thumbnail: (objectId) =>
        this.stage?.thumbnail(objectId, THUMBNAIL_PIXELS).catch(() => null) ?? Promise.resolve(null),
      replace: (objectId, from, to) => this.#replace(objectId, from, to),
      changed: () => this.requestUpdate(),
    });
    new DropTarget(this, {
      over: (isOver) => {
        this.isOver = isOver;
      },
      dropped: (files, { clientX, clientY }) => {
        if (!this.active || this.room === "guest") return;
        this.#at = this.stage?.placeAt(clientX, clientY, NEW_AHEAD_M);
        this.#take(files);
      },
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#askRoom();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.uploads.end();
  }

  override updated(changed: PropertyValues): void {
    if (changed.has("session")) void this.#askRoom();
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
        ${this.room === "guest" ? html`<p class="muted">${texts.edit.files.guest}</p>` : this.#files()}
        <form @submit=${(event: Event) => this.#byAddress(event)}>
          <span class="pair"
            ><label>${words.addressLabel}<input name="address" inputmode="url" autocomplete="off" placeholder=${words.addressExample} /></label
            ><button>${words.addAddress}</button></span
          >
        </form>
        ${this.wrong === "" ? nothing : html`<p class="told wrong" role="alert">${this.wrong}</p>`}
      </section>
      ${
        this.room === "guest" || this.session === undefined
          ? nothing
          : html`<stoa-your-files .editor=${this.editor} .folder=${this.#folder} .version=${this.uploads.sent}></stoa-your-files>`
      }
      <stoa-uploads .uploads=${this.uploads} .version=${this.uploads.version}></stoa-uploads>`;
  }

  #piece(piece: Piece): TemplateResult {
    return html`<button type="button" @click=${() => this.editor?.add(piece.attributes, piece.heightM)}>${piece.label}</button>`;
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
      <p class="muted">${words.drop} ${this.#roomInWords}</p>`;
  }

  get #roomInWords(): string {
    if (typeof this.room !== "object") return "";
    const { fileBytesMax, bytesMax, usedBytes } = this.room;
    return words.room(bytesInWords(fileBytesMax), bytesInWords(Math.max(0, bytesMax - usedBytes)));
  }

  /** A scene's own files are read by who may enter it; those in somebody else's scene are everybody's. */
  get #folder(): string {
    const name = this.session?.me.username ?? "";
    const [namespace, scene = ""] = this.scene.split("/");
    return namespace === name ? `users/${name}/scenes/${scene}` : `users/${name}/uploads`;
  }

  async #askRoom(): Promise<RoomAnswer> {
    const room = this.session?.me.guest === true ? "guest" : await askRoom();
    this.room = room;
    return room;
  }

  #choose(): void {
    const input = this.renderRoot.querySelector("input[type=file]");
    if (input instanceof HTMLInputElement) input.click();
  }

  #chosen({ target }: Event): void {
    if (!(target instanceof HTMLInputElement)) return;
    this.#at = undefined;
    this.#take([...(target.files ?? [])]);
    target.value = "";
  }

  #take(files: readonly File[]): void {
    this.wrong = files.length > DROPPED_FILES_MAX ? texts.edit.files.tooManyDropped(DROPPED_FILES_MAX) : "";
    const taken = files.slice(0, DROPPED_FILES_MAX);
    this.uploads.add(sorted(taken));
  }

  async #byAddress(event: Event): Promise<void> {
    event.preventDefault();
    const { target } = event;
    const address = target instanceof HTMLFormElement ? String(new FormData(target).get("address") ?? "").trim() : "";
    const kind = kindOf(pathOf(address));
    if (kind === undefined || kind === "scene" || kind === "part") {
      this.wrong = words.badAddress;
      return;
    }
    this.wrong = "";
    const objectId = newId(endingOf(pathOf(address)));
    await this.editor?.addAs(objectId, objectFor(kind, address, { objectId }));
  }

  /** Only if it still shows what was sent: somebody may have chosen another meanwhile. */
  async #replace(objectId: string, from: string, to: string): Promise<boolean> {
    const { editor } = this;
    const object = editor?.objects.get(objectId);
    if (editor === undefined || object?.attributes.url !== from) return false;
    return editor.run([{ kind: "update", objectId, attributes: { url: to } }]);
  }
}

/** The path of an address without what is asked of it; empty where it is none that pages follow. */
function pathOf(address: string): string {
  try {
    const url = new URL(address, location.origin);
    return url.protocol === "https:" || url.protocol === "http:" ? url.pathname : "";
  } catch {
    return "";
  }
}
