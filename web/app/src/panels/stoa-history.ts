import type { History, HistoryEntry, Restored, RestoreRequest, SceneSession } from "@stoa/client";
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { textOf, typedIn } from "../controls/form-fields.ts";
import { HOUR_MS } from "../limits.ts";
import { sharedStyles } from "../styles/shared.ts";
import { bytesInWords } from "../texts/byte-sizes.ts";
import { errorText } from "../texts/error-texts.ts";
import { moment, texts } from "../texts/texts.ts";
import { groupsOf, type HistoryGroup, nameOf, wordsFor } from "./history-lines.ts";
import { historyStyles } from "./history-styles.ts";

/** A restore that awaits confirmation. */
interface PendingRestore {
  readonly title: string;
  readonly request: RestoreRequest;
  /** The result of a dry run. */
  readonly would: Restored;
}

/** The scene's changes, newest first, and restores of the scene or an object to an earlier state. For editors. */
export class StoaHistoryPanel extends LitElement {
  static override readonly properties = {
    session: { attribute: false },
    page: { state: true },
    entries: { state: true },
    author: { state: true },
    objectId: { state: true },
    wish: { state: true },
    result: { state: true },
    wrong: { state: true },
    stale: { state: true },
    busy: { state: true },
  };
  static override readonly styles = [sharedStyles, historyStyles];
  declare session: SceneSession | undefined;
  declare page: History | undefined;
  declare entries: readonly HistoryEntry[];
  /** Filters by author and object; empty for all. */
  declare author: string;
  declare objectId: string;
  declare wish: PendingRestore | undefined;
  declare result: string;
  declare wrong: string;
  /** Whether the scene changed since the list was loaded. */
  declare stale: boolean;
  declare busy: boolean;
  /** All authors and objects listed so far, so that a filter doesn't remove the other options. */
  readonly #authors = new Map<string, string>();
  readonly #objects = new Set<string>();
  #stop: () => void = () => undefined;
  #asked = 0;
  /** The element that opened the confirmation; it regains the focus afterwards. */
  #trigger: HTMLElement | undefined;

  constructor() {
    super();
    this.entries = [];
    this.author = "";
    this.objectId = "";
    this.result = "";
    this.wrong = "";
    this.stale = false;
    this.busy = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
  }

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("session")) return;
    this.#stop();
    this.#stop =
      this.session?.on("object", () => {
        this.stale = true;
      }) ?? (() => undefined);
    void this.#load();
  }

  override render() {
    return html`${this.page === undefined ? nothing : this.#kept(this.page)}
      ${this.#filters()}
      ${this.#restoreForm()}
      <p id="wrong" class="told wrong" role="alert" tabindex="-1">${this.wrong === "" ? nothing : this.wrong}</p>
      <p id="said" class="told" role="status" tabindex="-1">${this.result === "" ? nothing : this.result}</p>
      ${this.wish === undefined ? nothing : this.#question(this.wish)}
      ${
        this.stale
          ? html`<button type="button" class="wide" @click=${() => void this.#load()}>${texts.history.newer}</button>`
          : nothing
      }
      ${this.#list()}
      ${
        this.page?.next === undefined
          ? nothing
          : html`<button type="button" class="wide" ?disabled=${this.busy} @click=${() => void this.#load(this.page?.next)}>
              ${texts.history.older}
            </button>`
      }`;
  }

  #kept({ keptDays, keptBytes, oldestMs }: History): TemplateResult {
    return html`<p class="muted small">
      ${texts.history.kept(keptDays, bytesInWords(keptBytes))}
      ${oldestMs === undefined ? nothing : texts.history.oldest(moment(new Date(oldestMs)))}
    </p>`;
  }

  #filters(): TemplateResult {
    const objects = [...this.#objects].sort();
    const name = this.#authors.get(this.author) ?? this.author;
    return html`<div class="filters">
        <label
          >${texts.history.by}<select .value=${this.author} @change=${(event: Event) => this.#narrow(typedIn(event), this.objectId)}>
            <option value="">${texts.history.everybody}</option>
            ${[...this.#authors].map(([id, known]) => html`<option value=${id} ?selected=${id === this.author}>${known}</option>`)}
          </select></label
        >
        <label
          >${texts.history.of}<select .value=${this.objectId} @change=${(event: Event) => this.#narrow(this.author, typedIn(event))}>
            <option value="">${texts.history.everything}</option>
            ${objects.map((id) => html`<option value=${id} ?selected=${id === this.objectId}>${id}</option>`)}
          </select></label
        >
      </div>
      ${
        this.author === ""
          ? nothing
          : html`<button type="button" class="wide" ?disabled=${this.busy} @click=${() => this.#lastHour(name)}>
              ${texts.history.undoHour(name)}
            </button>`
      }`;
  }

  /** The form that restores the scene, or the selected object, to a date and time. */
  #restoreForm(): TemplateResult {
    return html`<form class="moment" @submit=${(event: SubmitEvent) => this.#askForMoment(event)}>
      <label
        >${texts.history.asOn(this.objectId)}<input name="moment" type="datetime-local" required step="1" max=${localTime(Date.now())}
      /></label>
      <button ?disabled=${this.busy}>${texts.history.preview}</button>
    </form>`;
  }

  #askForMoment(event: SubmitEvent): void {
    event.preventDefault();
    const at = new Date(textOf(event.target, "moment"));
    if (Number.isNaN(at.getTime())) return;
    const to = { timeMs: at.getTime() };
    const when = moment(at);
    if (this.objectId === "") this.#ask(texts.history.sceneTo(when), { to });
    else this.#ask(texts.history.objectTo(this.objectId, when), { to, objectId: this.objectId });
  }

  #list(): TemplateResult {
    if (this.page !== undefined && this.entries.length === 0) return html`<p class="muted">${texts.history.none}</p>`;
    return html`<ol class="list stretches">
      ${groupsOf(this.entries).map((group) => this.#group(group))}
    </ol>`;
  }

  #group({ name, atMs, entries }: HistoryGroup): TemplateResult {
    const [newest] = entries;
    const when = moment(new Date(atMs));
    return html`<li>
      <div class="head">
        <h3>${name}<time class="muted" datetime=${new Date(atMs).toISOString()}>${when}</time></h3>
        ${
          newest === undefined || !this.#reaches(newest.revision)
            ? nothing
            : html`<button
                type="button"
                class="small"
                ?disabled=${this.busy}
                aria-label=${texts.history.sceneToLabel(when)}
                @click=${() => this.#ask(texts.history.sceneTo(when), { to: { revision: newest.revision } })}
              >
                ${texts.history.toHere}
              </button>`
        }
      </div>
      <ul class="list">
        ${entries.map((entry) => this.#entry(entry, when))}
      </ul>
    </li>`;
  }

  #entry(entry: HistoryEntry, when: string): TemplateResult {
    const { objectId, revision } = entry;
    const gone = entry.action === "delete";
    const to = gone ? revision - 1 : revision;
    const title = gone ? texts.history.reallyBack(objectId) : texts.history.objectTo(objectId, when);
    return html`<li>
      <span>${wordsFor(entry)}</span>
      ${
        this.#reaches(to)
          ? html`<button
              type="button"
              class="small"
              ?disabled=${this.busy}
              aria-label=${gone ? texts.history.back(objectId) : texts.history.asHereLabel(objectId, when)}
              @click=${() => this.#ask(title, { to: { revision: to }, objectId })}
            >
              ${gone ? texts.history.bringBack : texts.history.asHere}
            </button>`
          : nothing
      }
    </li>`;
  }

  #question({ title, would }: PendingRestore): TemplateResult {
    const empty = would.created + would.changed + would.removed === 0;
    return html`<section class="wish" role="group" aria-labelledby="wish">
      <h3 id="wish" tabindex="-1">${title}</h3>
      <p>${empty ? texts.history.noChange : texts.history.would(would)}</p>
      ${would.left > 0 ? html`<p>${texts.history.stays(would.left)}</p>` : nothing}
      <div class="filters">
        ${
          empty
            ? nothing
            : html`<button type="button" class="primary" ?disabled=${this.busy} @click=${() => void this.#do()}>${texts.history.doIt}</button>`
        }
        <button type="button" @click=${() => this.#leave(this.#trigger)}>${texts.history.cancel}</button>
      </div>
    </section>`;
  }

  #reaches(revision: number): boolean {
    return this.page?.reaches !== undefined && revision >= this.page.reaches;
  }

  #narrow(author: string, objectId: string): void {
    this.author = author;
    this.objectId = objectId;
    void this.#load();
  }

  #lastHour(name: string): void {
    const request = { to: { timeMs: Date.now() - HOUR_MS }, author: this.author };
    this.#ask(
      texts.history.reallyUndoHour(name),
      this.objectId === "" ? request : { ...request, objectId: this.objectId },
    );
  }

  /** Loads the newest page of the history, or the one before a revision. */
  async #load(before?: number): Promise<void> {
    const { session, author, objectId } = this;
    if (session === undefined) return;
    this.#asked += 1;
    const asked = this.#asked;
    if (before === undefined) this.stale = false;
    try {
      const page = await session.history({
        ...(before === undefined ? {} : { before }),
        ...(author === "" ? {} : { author }),
        ...(objectId === "" ? {} : { objectId }),
      });
      if (asked !== this.#asked) return;
      for (const entry of page.entries) {
        this.#authors.set(entry.author, nameOf(entry));
        this.#objects.add(entry.objectId);
      }
      this.entries = before === undefined ? page.entries : [...this.entries, ...page.entries];
      this.page = page;
      this.wrong = "";
    } catch (error) {
      if (asked === this.#asked) this.wrong = errorText(error);
    }
  }

  /** Makes a dry run of a restore and shows its result for confirmation. */
  #ask(title: string, request: RestoreRequest): void {
    const focused = this.shadowRoot?.activeElement;
    if (focused instanceof HTMLElement) this.#trigger = focused;
    const asked = this.#busily(async (session) => {
      const would = await session.restore({ ...request, dryRun: true });
      this.result = "";
      this.wish = { title, request, would };
      await this.updateComplete;
      this.renderRoot.querySelector<HTMLElement>("#wish")?.focus();
    });
    void asked.then(() => {
      if (this.wish === undefined) this.#leave(this.#trigger);
    });
  }

  async #do(): Promise<void> {
    const { wish } = this;
    if (wish === undefined) return;
    await this.#busily(async (session) => {
      const done = await session.restore(wish.request);
      this.wish = undefined;
      this.result = texts.history.done(done.created + done.changed + done.removed);
      await this.#load();
    });
    // The reloaded list may show another change in the trigger's row, so the message gets the focus instead.
    if (this.wish === undefined)
      this.#leave(this.renderRoot.querySelector<HTMLElement>(this.wrong === "" ? "#said" : "#wrong"));
  }

  /** Closes the confirmation and moves the focus to `to` unless another element has it. */
  #leave(to: HTMLElement | null | undefined): void {
    this.wish = undefined;
    void this.updateComplete.then(() => {
      if (this.shadowRoot?.activeElement === null) to?.focus();
    });
  }

  async #busily(work: (session: SceneSession) => Promise<void>): Promise<void> {
    if (this.session === undefined) return;
    this.busy = true;
    this.wrong = "";
    try {
      await work(this.session);
    } catch (error) {
      this.wish = undefined;
      this.wrong = errorText(error);
    }
    this.busy = false;
  }
}

/** A time in the format of a `datetime-local` field. */
function localTime(atMs: number): string {
  const offsetMs = new Date(atMs).getTimezoneOffset() * 60_000;
  return new Date(atMs - offsetMs).toISOString().slice(0, 19);
}
