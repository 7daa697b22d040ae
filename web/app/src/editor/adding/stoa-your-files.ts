import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { typedIn } from "../../controls/form-fields.ts";
import { SEARCH_FROM } from "../../limits.ts";
import { sharedStyles, tiles } from "../../styles/shared.ts";
import { texts } from "../../texts/texts.ts";
import type { Editor } from "../editor.ts";
import { objectFor } from "../files/file-kinds.ts";
import { listFiles, type OwnFile } from "../files/your-files.ts";
import { FILES_SHOWN_MAX } from "../limits.ts";
import { newId } from "../objects/ids.ts";

const words = texts.edit.add;
/** Symbols for files without a thumbnail. */
const SIGNS = { model: "◇", image: "▢", video: "▷", sound: "♪", splat: "∴" } as const;

/** The account's files for this scene, with thumbnails. A press adds the file to the scene. */
export class StoaFileList extends LitElement {
  static override readonly properties = {
    editor: { attribute: false },
    folder: {},
    version: { type: Number },
    files: { state: true },
    search: { state: true },
    isOpen: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    tiles,
    css`
      summary {
        cursor: pointer;
        min-height: var(--target-small);
        font-weight: 650;
      }
      .tiles {
        margin-block: var(--space-2);
      }
      .tiles button {
        font-size: var(--text-xs);
        justify-content: start;
      }
      .name {
        max-width: 100%;
        overflow: hidden;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      img,
      .sign {
        width: 100%;
        aspect-ratio: 1;
        border-radius: var(--radius-s);
        background: var(--ground);
        object-fit: contain;
        display: grid;
        place-content: center;
        font-size: var(--text-xl);
        color: var(--muted);
      }
    `,
  ];
  declare editor: Editor | undefined;
  declare folder: string;
  /** Incremented when there are new files to list. */
  declare version: number;
  /** `undefined` before the first answer; `"away"` if the list can't be read. */
  declare files: readonly OwnFile[] | "away" | undefined;
  declare search: string;
  declare isOpen: boolean;
  /** Replaced in tests. */
  list = listFiles;

  constructor() {
    super();
    this.folder = "";
    this.version = 0;
    this.search = "";
    this.isOpen = false;
  }

  override updated(changed: PropertyValues): void {
    const isNew = ["isOpen", "folder", "version"].some((key) => changed.has(key));
    if (isNew && this.isOpen) void this.#ask();
  }

  override render() {
    return html`<details @toggle=${(event: Event) => this.#toggle(event)}>
      <summary>${words.yourFiles}</summary>
      ${this.files === "away" ? html`<p class="wrong" role="alert">${words.filesAway}</p>` : this.#list(this.files)}
      <a href="/storemng/files/" target="_blank" rel="noopener">${words.manage}</a>
    </details>`;
  }

  #list(files: readonly OwnFile[] | undefined): TemplateResult | typeof nothing {
    if (files === undefined) return nothing;
    if (files.length === 0) return html`<p class="muted small">${words.noFiles}</p>`;
    const wanted = this.search.trim().toLowerCase();
    const found = files.filter(({ name }) => name.toLowerCase().includes(wanted));
    const rest = found.length - FILES_SHOWN_MAX;
    return html`${
      files.length < SEARCH_FROM
        ? nothing
        : html`<label>${words.searchFiles}<input type="search" .value=${this.search} @input=${(event: Event) => this.#look(event)} /></label>`
    }
      <div class="tiles">${found.slice(0, FILES_SHOWN_MAX).map((file) => this.#file(file))}</div>
      ${found.length === 0 ? html`<p class="muted small">${words.noFileFound}</p>` : nothing}
      ${rest > 0 ? html`<p class="muted small">${words.moreFiles(rest)}</p>` : nothing}`;
  }

  #file(file: OwnFile): TemplateResult {
    const { name, pictureUrl, kind } = file;
    return html`<button type="button" title=${name} aria-label=${words.addAgain(name)} @click=${(event: Event) => this.#add(event, file)}>
      ${pictureUrl === undefined ? html`<span class="sign" aria-hidden="true">${SIGNS[kind]}</span>` : html`<img src=${pictureUrl} alt="" loading="lazy" />`}
      <span class="name">${shortName(name)}</span>
    </button>`;
  }

  #toggle({ target }: Event): void {
    this.isOpen = target instanceof HTMLDetailsElement && target.open;
  }

  #look(event: Event): void {
    this.search = typedIn(event);
  }

  async #ask(): Promise<void> {
    try {
      this.files = await this.list(this.folder);
    } catch {
      this.files = "away";
    }
  }

  /** Adds a file to the scene, with the aspect ratio of its thumbnail, and the thumbnail as a video's poster. */
  #add({ currentTarget }: Event, { name, url, pictureUrl, kind }: OwnFile): void {
    const image = currentTarget instanceof HTMLElement ? currentTarget.querySelector("img") : null;
    const aspect = image && image.naturalHeight > 0 ? image.naturalWidth / image.naturalHeight : undefined;
    const media = { ...(aspect && { aspect }), ...(pictureUrl && { posterUrl: pictureUrl }) };
    const objectId = newId(shortName(name).replaceAll(/[^A-Za-z0-9_-]+/g, "-"));
    void this.editor?.addAs(objectId, objectFor(kind, url, { objectId, media }));
  }
}

/** The name without its unique tail and its extension: `duck` of `duck-x7k2p1.glb`. */
function shortName(name: string): string {
  return name.replace(/\.[^.]*$/, "").replace(/-[0-9a-z]{6}$/, "");
}
