import type { SceneSession } from "@stoa/client";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { BROKEN_LISTED_MAX } from "../limits.ts";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";

/** Event detail of a file that failed to load. */
interface BrokenFileDetail {
  readonly objectId: string;
  readonly src: string;
  readonly code: keyof typeof texts.loading.reasons;
}

const NOTHING = { loaded: 0, all: 0 };

/** Shows the loading progress and the files that failed, with reasons. */
export class StoaLoadingProgress extends LitElement {
  static override readonly properties = {
    session: { attribute: false },
    progress: { state: true },
    broken: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: block;
        grid-column: 1 / -1;
        order: 3;
        pointer-events: none;
      }
      .card {
        pointer-events: auto;
        width: fit-content;
        max-width: 100%;
        margin: 0 auto;
        padding: var(--space-2) var(--space-3);
        border-radius: var(--radius);
        background: var(--panel-glass);
        border: 1px solid var(--line);
        font-size: var(--text-s);
        overflow-wrap: anywhere;
      }
      ul {
        margin: var(--space-2) 0;
        padding: 0 0 0 var(--space-4);
      }
    `,
  ];
  declare session: SceneSession | undefined;
  declare progress: { readonly loaded: number; readonly all: number };
  declare broken: readonly BrokenFileDetail[];
  #listening: AbortController | undefined;
  #stop: (() => void) | undefined;

  constructor() {
    super();
    this.progress = NOTHING;
    this.broken = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const on = (type: string, listener: (detail: unknown) => void): void =>
      this.ownerDocument.addEventListener(type, (event) => event instanceof CustomEvent && listener(event.detail), {
        signal,
      });
    on("stoa-progress", (detail) => {
      const { loaded, all } = Object(detail);
      this.progress = { loaded: Number(loaded) || 0, all: Number(all) || 0 };
    });
    on("stoa-broken", (detail) => this.#add(detail));
    on("stoa-mended", (detail) => this.#drop(Object(detail).objectId));
  }

  override disconnectedCallback(): void {
    this.#listening?.abort();
    this.#stop?.();
    super.disconnectedCallback();
  }

  /** For a new session, clears progress and errors, and follows removed objects to remove their errors. */
  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("session")) return;
    // Events of the former scene don't apply to this one.
    this.progress = NOTHING;
    this.broken = [];
    this.#stop?.();
    this.#stop = this.session?.on("object", ({ objectId, object }) => {
      if (object === null) this.#drop(objectId);
    });
  }

  override render() {
    const { loaded, all } = this.progress;
    const words = texts.loading;
    const count = this.broken.length;
    return html`<div role="status">${
      count === 0
        ? nothing
        : html`<details class="card">
            <summary>${words.broken(count)}</summary>
            <ul>${this.broken.map(({ src, code }) => html`<li>${words.why(fileOf(src), words.reasons[code])}</li>`)}</ul>
            <button type="button" @click=${this.#forget}>${words.forget}</button>
          </details>`
    }</div>
    ${loaded < all ? html`<div class="card" aria-live="off">${words.progress(loaded, all)}</div>` : nothing}`;
  }

  #add(detail: unknown): void {
    const { objectId, src, code } = Object(detail);
    const reason = isCode(code) ? code : "unreadable";
    const others = this.broken.filter((one) => one.objectId !== objectId);
    this.broken = [...others, { objectId: String(objectId), src: String(src), code: reason }].slice(-BROKEN_LISTED_MAX);
  }

  #drop(objectId: unknown): void {
    if (this.broken.some((one) => one.objectId === objectId))
      this.broken = this.broken.filter((one) => one.objectId !== objectId);
  }

  readonly #forget = (): void => {
    this.broken = [];
  };
}

function isCode(code: unknown): code is BrokenFileDetail["code"] {
  return typeof code === "string" && Object.hasOwn(texts.loading.reasons, code);
}

/** The file's name without its path. */
function fileOf(src: string): string {
  const name = (URL.canParse(src) ? new URL(src).pathname : src).split("/").at(-1) ?? src;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
