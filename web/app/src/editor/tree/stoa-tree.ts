import { type SceneSession, shownName } from "@stoa/client";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { typedIn } from "../../controls/form-fields.ts";
import { SessionRedrawController } from "../../scene/session-updates.ts";
import { sharedStyles } from "../../styles/shared.ts";
import { texts } from "../../texts/texts.ts";
import { type Editor, isLocked } from "../editor.ts";
import { HoldRedrawController } from "../hold-redraw-controller.ts";
import { TREE_ROWS_MAX } from "../limits.ts";
import { rowAfter, rowsOf, type TreeRow } from "./tree-rows.ts";
import { treeStyles } from "./tree-styles.ts";

const words = texts.edit.tree;

/** The scene's objects as a tree: arrow keys, search, multi-select, and drag onto a new parent. Emits `stoa-choose`. */
export class StoaObjectTree extends LitElement {
  static override readonly properties = {
    editor: { attribute: false },
    session: { attribute: false },
    selected: { attribute: false },
    closed: { state: true },
    search: { state: true },
    focused: { state: true },
    over: { state: true },
    dragging: { state: true },
  };
  static override readonly styles = [sharedStyles, treeStyles];
  declare editor: Editor | undefined;
  declare session: SceneSession | undefined;
  declare selected: readonly string[];
  declare closed: ReadonlySet<string>;
  declare search: string;
  /** The row that Tab focuses. */
  declare focused: string;
  /** The row under a drag; empty for the target that removes the parent; `null` without a drag over either. */
  declare over: string | null;
  declare dragging: boolean;
  #rows: readonly TreeRow[] = [];
  #dragged: readonly string[] = [];

  constructor() {
    super();
    new SessionRedrawController(this, ["object", "reset"]);
    new HoldRedrawController(this);
    this.selected = [];
    this.closed = new Set();
    this.search = "";
    this.focused = "";
    this.over = null;
    this.dragging = false;
  }

  override render() {
    const all = rowsOf(this.editor?.objects ?? new Map(), this);
    this.#rows = all.slice(0, TREE_ROWS_MAX);
    const first = this.#rows.find(({ objectId }) => objectId === this.focused) ?? this.#rows[0];
    return html`<label>${words.search}<input type="search" .value=${this.search} @input=${(event: Event) => this.#look(event)} /></label>
      ${all.length === 0 ? html`<p class="muted">${this.search === "" ? words.empty : words.noMatch}</p>` : nothing}
      <ul
        class="list"
        role="tree"
        aria-label=${words.label}
        aria-multiselectable="true"
        @keydown=${(event: KeyboardEvent) => this.#key(event)}
      >
        ${repeat(
          this.#rows,
          ({ objectId }) => objectId,
          (row) => this.#row(row, row === first),
        )}
      </ul>
      ${all.length > TREE_ROWS_MAX ? html`<p class="muted">${words.more(all.length - TREE_ROWS_MAX)}</p>` : nothing}
      ${!this.dragging ? nothing : html`<p class=${`root ${this.over === "" ? "over" : ""}`} @dragover=${(event: DragEvent) => this.#allow(event, "")} @drop=${(event: DragEvent) => this.#drop(event, null)}>${words.dropOnNothing}</p>`}`;
  }

  #row(row: TreeRow, isFirst: boolean): TemplateResult {
    const { objectId, name, kind, level, children } = row;
    const holder = this.editor?.heldBy(objectId);
    const object = this.editor?.objects.get(objectId);
    return html`<li
      role="treeitem"
      data-row=${objectId}
      aria-level=${level}
      aria-selected=${this.selected.includes(objectId)}
      aria-expanded=${children === "none" ? nothing : children === "shown"}
      tabindex=${isFirst ? 0 : -1}
      draggable="true"
      class=${this.over === objectId ? "over" : ""}
      style=${`--level: ${level}`}
      @click=${(event: MouseEvent) => this.#press(event, objectId)}
      @dragstart=${(event: DragEvent) => this.#drag(event, objectId)}
      @dragend=${() => this.#dropped()}
      @dragover=${(event: DragEvent) => this.#allow(event, objectId)}
      @drop=${(event: DragEvent) => this.#drop(event, objectId)}
    >
      <span class="toggle" aria-hidden="true" @click=${(event: MouseEvent) => this.#fold(event, row)}>${children === "none" ? "" : children === "shown" ? "▾" : "▸"}</span>
      <span class="name">${name}</span>
      ${object && isLocked(object) ? html`<span class="mark" role="img" aria-label=${texts.edit.lockedMark}>🔒</span>` : nothing}
      ${holder ? html`<span class="holder" style=${`--person: ${safeColor(holder.color)}`}>${texts.edit.heldBy(shownName(holder))}</span>` : nothing}
      <span class="kind">${kind}</span>
    </li>`;
  }

  #look(event: Event): void {
    this.search = typedIn(event);
  }

  #press(event: MouseEvent, objectId: string): void {
    this.focused = objectId;
    if (event.shiftKey && this.selected.length > 0) this.#choose(this.#between(this.selected.at(-1) ?? "", objectId));
    else if (event.ctrlKey || event.metaKey) this.#toggle(objectId);
    else this.#choose([objectId]);
  }

  #toggle(objectId: string): void {
    const without = this.selected.filter((id) => id !== objectId);
    this.#choose(without.length === this.selected.length ? [...without, objectId] : without);
  }

  #between(from: string, to: string): readonly string[] {
    const [a, b] = [from, to].map((id) => this.#rows.findIndex((row) => row.objectId === id));
    if (a === undefined || b === undefined || a < 0) return [to];
    const ids = this.#rows.slice(Math.min(a, b), Math.max(a, b) + 1).map(({ objectId }) => objectId);
    // The row at which the range began is the last id, so the next range begins there too.
    return [...ids.filter((id) => id !== from), from];
  }

  #fold(event: MouseEvent, row: TreeRow): void {
    if (row.children === "none") return;
    event.stopPropagation();
    this.#setOpen(row.objectId, row.children === "hidden");
  }

  #setOpen(objectId: string, isOpen: boolean): void {
    const closed = new Set(this.closed);
    if (isOpen) closed.delete(objectId);
    else closed.add(objectId);
    this.closed = closed;
  }

  #key(event: KeyboardEvent): void {
    const row = this.#rows.find(({ objectId }) => objectId === rowIdOf(event));
    if (row === undefined) return;
    const { key } = event;
    if (key === "Enter") this.#choose([row.objectId]);
    else if (key === " ") this.#toggle(row.objectId);
    else if (key === "ArrowRight" && row.children === "hidden") this.#setOpen(row.objectId, true);
    else if (key === "ArrowLeft" && row.children === "shown") this.#setOpen(row.objectId, false);
    else {
      const next = rowAfter(this.#rows, row.objectId, key);
      if (next === undefined) return;
      this.#focus(next.objectId);
      if (event.shiftKey) this.#choose([...new Set([...this.selected, row.objectId, next.objectId])]);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #focus(objectId: string): void {
    this.focused = objectId;
    void this.updateComplete.then(() =>
      [...this.renderRoot.querySelectorAll<HTMLElement>("[data-row]")]
        .find(({ dataset }) => dataset.row === objectId)
        ?.focus(),
    );
  }

  #drag(event: DragEvent, objectId: string): void {
    this.#dragged = this.selected.includes(objectId) ? this.selected : [objectId];
    event.dataTransfer?.setData("text/plain", this.#dragged.join(" "));
    if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
    // A row that changes while the drag begins would end the drag.
    setTimeout(() => {
      this.dragging = true;
    });
  }

  #allow(event: DragEvent, objectId: string): void {
    if (this.#dragged.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.over = objectId;
  }

  #dropped(): void {
    this.#dragged = [];
    this.over = null;
    this.dragging = false;
  }

  #drop(event: DragEvent, parent: string | null): void {
    event.preventDefault();
    event.stopPropagation();
    const dragged = this.#dragged.filter((id) => id !== parent);
    this.#dropped();
    if (dragged.length > 0) void this.editor?.reparent(dragged, parent);
  }

  #choose(objectIds: readonly string[]): void {
    this.dispatchEvent(
      new CustomEvent<readonly string[]>("stoa-choose", { detail: objectIds, bubbles: true, composed: true }),
    );
  }
}

function rowIdOf({ target }: Event): string {
  return target instanceof HTMLElement ? (target.closest<HTMLElement>("[data-row]")?.dataset.row ?? "") : "";
}

/** A colour that is safe in a style: other people set it, so only hex colours pass. */
function safeColor(color: string): string {
  return /^#[0-9a-fA-F]{3,8}$/.test(color) ? color : "currentColor";
}
