import type { Api, Refusal, SceneSession, Status } from "@stoa/client";
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { Follow } from "./follow.ts";
import { TOAST_MS } from "./limits.ts";
import { look } from "./look.ts";
import { overlay } from "./overlay-look.ts";
import type { Preferences } from "./preferences.ts";
import type { Stage } from "./stage.ts";
import type { Move } from "./stoa-pad.ts";

/** What can be opened beside the scene. */
type Panel = "people" | "chat" | "edit" | "settings";

const LABELS: Readonly<Record<Panel, string>> = { people: "People", chat: "Chat", edit: "Edit", settings: "Share" };

/** What lies over the scene: toolbar, panels, the state of the session, the pad to walk by touch. Emits `stoa-choose` with an id or `null`. */
export class StoaOverlay extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    session: { attribute: false },
    stage: { attribute: false },
    status: { attribute: false },
    preferences: { attribute: false },
    scene: {},
    panel: { state: true },
    selected: { attribute: false },
    unread: { state: true },
    toast: { state: true },
  };
  static override readonly styles = [look, overlay];
  declare api: Api | undefined;
  declare session: SceneSession | undefined;
  declare stage: Stage | undefined;
  declare status: Status;
  declare preferences: Preferences | undefined;
  declare scene: string;
  declare panel: Panel | null;
  declare selected: string | null;
  declare unread: number;
  declare toast: string;
  #stops: readonly (() => void)[] = [];
  #toastEnds: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.status = { kind: "connecting" };
    this.scene = "";
    this.panel = null;
    this.selected = null;
    this.unread = 0;
    this.toast = "";
    new Follow(this, ["person", "reset", "status"]);
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("session")) {
      for (const stop of this.#stops) stop();
      const { session } = this;
      const refused = session?.on("refused", (refusal) => this.#refused(refusal));
      const came = session?.on("object", ({ objectId, changed }) => {
        if (changed.includes("object_type")) this.#showChosen(objectId);
      });
      this.#stops = [refused, came].filter((stop) => stop !== undefined);
    }
    if (this.panel === "edit" && !this.#mayEdit) this.#open(null);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.#shortcut);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#shortcut);
    for (const stop of this.#stops) stop();
    clearTimeout(this.#toastEnds);
  }

  override render() {
    return html`<div class="top" role="banner">
        <nav aria-label="Scene">
          <a class="button home" href="/" aria-label="All scenes"><img src="/favicon.svg" alt="" /></a>
          <h1>${this.scene}</h1>
        </nav>
        <stoa-status .status=${this.status}></stoa-status>
        ${this.session === undefined ? nothing : this.#toolbar()}
      </div>
      ${this.session === undefined ? nothing : this.#panels(this.session)}
      <p class="toast" role="alert" ?hidden=${this.toast === ""}>${this.toast}</p>
      ${this.session === undefined ? nothing : this.#feet()}`;
  }

  get #mayEdit(): boolean {
    return this.session?.me.mayBuild === true;
  }

  #toolbar(): TemplateResult {
    const people = (this.session?.people.size ?? 0) + 1;
    const counts: Partial<Record<Panel, number>> = { people, ...(this.unread > 0 ? { chat: this.unread } : {}) };
    const panels: readonly Panel[] = this.#mayEdit
      ? ["people", "chat", "edit", "settings"]
      : ["people", "chat", "settings"];
    return html`<div class="tools" role="toolbar" aria-label="Panels">
      ${panels.map(
        (panel) => html`<button
          type="button"
          data-panel=${panel}
          aria-pressed=${this.panel === panel}
          aria-controls="panel"
          aria-keyshortcuts=${panel === "edit" ? "E" : nothing}
          @click=${() => this.#open(this.panel === panel ? null : panel)}
        >
          ${LABELS[panel]}${counts[panel] === undefined ? nothing : html` <span class="count">${counts[panel]}</span>`}
        </button>`,
      )}
    </div>`;
  }

  /** The chat is always there, so that it hears what is said while it is hidden. */
  #panels(session: SceneSession): TemplateResult {
    return html`<div
      id="panel"
      class="panel"
      role="region"
      aria-label=${this.panel === null ? nothing : LABELS[this.panel]}
      ?hidden=${this.panel === null}
      @keydown=${(event: KeyboardEvent) => this.#key(event)}
      @keyup=${(event: KeyboardEvent) => event.stopPropagation()}
    >
      <button type="button" class="close" aria-label="Close" @click=${(event: MouseEvent) => this.#close(event.detail === 0)}>✕</button>
      <stoa-chat
        .session=${session}
        ?hidden=${this.panel !== "chat"}
        @stoa-heard=${() => {
          if (this.panel !== "chat") this.unread += 1;
        }}
      ></stoa-chat>
      ${this.#opened(session)}
    </div>`;
  }

  #opened(session: SceneSession): TemplateResult | typeof nothing {
    switch (this.panel) {
      case "people":
        return html`<stoa-people .session=${session}></stoa-people>`;
      case "edit":
        return html`<stoa-edit
          .session=${session}
          .selected=${this.selected}
          .place=${(distanceM: number) => this.stage?.placeAhead(distanceM) ?? { x: 0, y: 0, z: 0 }}
          @stoa-choose=${(event: CustomEvent<string | null>) => this.#chosen(event)}
        ></stoa-edit>`;
      case "settings":
        return html`<stoa-settings
          .api=${this.api}
          .session=${session}
          .preferences=${this.preferences}
          .scene=${this.scene}
        ></stoa-settings>`;
      case "chat":
      case null:
        return nothing;
    }
  }

  /** How one walks: the pad for touch, and a word about it. */
  #feet(): TemplateResult {
    return html`<stoa-hint class="hint" .preferences=${this.preferences}></stoa-hint><stoa-pad
      class="pad"
      role="region"
      aria-label="Walk by touch"
      @stoa-walk=${({ detail }: CustomEvent<Move>) => this.stage?.setMove(detail.x, detail.z)}
    ></stoa-pad>`;
  }

  /** Closes the panel; by keyboard one goes on where it was opened, with the mouse one goes back to the scene. */
  #close(byKeyboard: boolean): void {
    const { panel } = this;
    this.#open(null);
    if (byKeyboard && panel !== null) this.renderRoot.querySelector<HTMLElement>(`[data-panel="${panel}"]`)?.focus();
  }

  #open(panel: Panel | null): void {
    this.panel = panel;
    if (panel === "chat") this.unread = 0;
    if (panel !== "edit") this.#choose(null);
    this.stage?.setEditMode(panel === "edit");
  }

  #chosen(event: CustomEvent<string | null>): void {
    // What goes on upwards is told once, by `#choose`.
    event.stopPropagation();
    this.#choose(event.detail);
  }

  #choose(objectId: string | null): void {
    if (objectId === this.selected) return;
    this.selected = objectId;
    this.stage?.select(objectId);
    this.dispatchEvent(new CustomEvent<string | null>("stoa-choose", { detail: objectId }));
  }

  /** A new object is acknowledged before it is shown: it is chosen in the view once it is there. */
  #showChosen(objectId: string): void {
    if (objectId === this.selected) queueMicrotask(() => this.stage?.select(this.selected));
  }

  /** What is typed into a panel is not meant for the feet. */
  #key(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "Escape") this.#close(true);
  }

  /** Keys pressed in the scene: what is typed into a panel never comes here. */
  readonly #shortcut = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (event.key === "Escape") this.#open(null);
    else if (event.key.toLowerCase() === "e" && this.#mayEdit) this.#open(this.panel === "edit" ? null : "edit");
  };

  #refused({ reason, limit, objectId }: Refusal): void {
    const about = objectId === undefined ? "" : ` (${objectId})`;
    this.toast = `The realm refused that${about}: ${reason}${limit === undefined ? "" : `, ${limit}`}`;
    clearTimeout(this.#toastEnds);
    this.#toastEnds = setTimeout(() => {
      this.toast = "";
    }, TOAST_MS);
  }
}
