import type { MenuEntry } from "@stoa/aframe";
import type { Api, Refusal, SceneSession, Status } from "@stoa/client";
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { ToastController } from "../controls/toast.ts";
import type { Preferences } from "../preferences/preferences.ts";
import { OwnGestureController } from "../scene/avatar-gestures.ts";
import { HeadsetMenuController } from "../scene/headset-menu.ts";
import { HiddenPeople } from "../scene/hidden-people.ts";
import { SessionRedrawController } from "../scene/session-updates.ts";
import type { SceneViewController } from "../scene/stage.ts";
import type { WalkDirection } from "../scene/stoa-pad.ts";
import { icon } from "../styles/icons.ts";
import { sharedStyles } from "../styles/shared.ts";
import { refusalText } from "../texts/error-texts.ts";
import { texts } from "../texts/texts.ts";
import { talkEntries } from "../voice/headset-talk.ts";
import { pressHint, pressHintStyles } from "../voice/press-hint.ts";
import type { SceneVoice } from "../voice/scene-voice.ts";
import { TalkController } from "../voice/talk-keys.ts";
import { overlayStyles } from "./overlay-styles.ts";
import { PANELS, type PanelDeclaration, type PanelId, type PanelInputs } from "./panels.ts";
import { ToolbarCapacityController, toolbar } from "./toolbar.ts";

/** The overlay on the scene: toolbar, panels, connection status and touch pad. Emits `stoa-choose` with ids. */
export class StoaSceneOverlay extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    session: { attribute: false },
    stage: { attribute: false },
    status: { attribute: false },
    preferences: { attribute: false },
    voice: { attribute: false },
    scene: {},
    panel: { state: true },
    selected: { attribute: false },
    menu: { state: true },
    news: { state: true },
    loaded: { state: true },
  };
  static override readonly styles = [sharedStyles, overlayStyles, pressHintStyles];
  declare api: Api | undefined;
  declare session: SceneSession | undefined;
  declare stage: SceneViewController | undefined;
  declare status: Status;
  declare preferences: Preferences | undefined;
  declare voice: SceneVoice | undefined;
  declare scene: string;
  declare panel: PanelId | null;
  declare selected: readonly string[];
  /** Whether the overflow menu of the toolbar is open. */
  declare menu: boolean;
  /** Number of unread news by panel. */
  declare news: ReadonlyMap<PanelId, number>;
  /** Panels whose scripts are loaded. */
  declare loaded: ReadonlySet<PanelId>;
  readonly toast = new ToastController(this);
  readonly #capacity = new ToolbarCapacityController(this);
  readonly #gestures = new OwnGestureController(this);
  readonly #headsetMenu: HeadsetMenuController;
  /** The people hidden in this session. A new session and its 3D view start without hidden people. */
  #hiddenPeople = new HiddenPeople();
  #stops: readonly (() => void)[] = [];

  constructor() {
    super();
    this.status = { kind: "connecting" };
    this.scene = "";
    this.panel = null;
    this.selected = [];
    this.menu = false;
    this.news = new Map();
    this.loaded = new Set(PANELS.filter(({ load }) => load === undefined).map(({ id }) => id));
    new SessionRedrawController(this, ["person", "reset", "status"]);
    new TalkController(this, {
      voice: () => this.voice,
      takesKeys: () => this.preferences?.comfort.letterKeys !== false,
      onHindered: (hindrance) => this.#say(texts.voice.hindrances[hindrance]),
      onEcho: () => this.#say(texts.voice.echo),
    });
    this.#headsetMenu = new HeadsetMenuController(this, {
      hidden: () => this.#hiddenPeople,
      isBuilding: () => (this.#panels.some(({ edits }) => edits === true) ? this.panel === "edit" : undefined),
      build: (begins) => this.#open(begins ? "edit" : null),
      talk: () => talkEntries(this.voice),
    });
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("session")) {
      for (const stop of this.#stops) stop();
      const { session } = this;
      this.#hiddenPeople = new HiddenPeople();
      const refused = session?.on("refused", (refusal) => this.#refused(refusal));
      const came = session?.on("object", ({ objectId, changed }) => {
        if (changed.includes("object_type")) this.#showChosen(objectId);
      });
      this.#stops = [refused, came].filter((stop) => stop !== undefined);
    }
    if (this.panel !== null && !this.#panels.some(({ id }) => id === this.panel)) this.#open(null);
    // The editor may be open before the scene is drawn.
    if (changed.has("stage") && this.#edits) this.stage?.setEditMode(true);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.#shortcut);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#shortcut);
    for (const stop of this.#stops) stop();
  }

  override render() {
    const { session } = this;
    return html`<div class="top" role="banner">
        <nav aria-label=${texts.overlay.scene}>
          <a class="button skip" href="/${this.scene}?view=text">${icon("text")}${texts.textView.link}</a>
          <a class="button home" href="/" aria-label=${texts.shared.allScenes}><img src="/favicon.svg" alt="" /></a>
          <h1>${this.scene}</h1>
        </nav>
        <stoa-status .status=${this.status}></stoa-status><stoa-loading .session=${session}></stoa-loading>
        ${pressHint(this.voice)}
        ${session === undefined ? nothing : this.#toolbar(session)}
      </div>
      ${session === undefined ? nothing : this.#region(session)}
      <p class="toast" role="alert" ?hidden=${this.toast.text === ""}>${this.toast.text}</p>
      ${session === undefined ? nothing : this.#walkControls()}`;
  }

  /** The panels that this user may open. */
  get #panels(): readonly PanelDeclaration[] {
    const { session } = this;
    return session === undefined ? [] : PANELS.filter(({ may }) => may?.(session) ?? true);
  }

  /** Whether the open panel edits the scene. */
  get #edits(): boolean {
    return this.#panels.some(({ id, edits }) => id === this.panel && edits === true);
  }

  #toolbar(session: SceneSession): TemplateResult {
    return toolbar({
      session,
      voice: this.voice,
      panels: this.#panels,
      open: this.panel,
      slots: this.#capacity.slots,
      menu: this.menu,
      news: this.news,
      toggle: (panel) => this.#open(this.panel === panel ? null : panel),
      toggleMenu: () => {
        this.menu = !this.menu;
      },
    });
  }

  /** The open panel, and the closed panels with `stays` whose scripts are loaded. The closed ones are hidden. */
  #region(session: SceneSession): TemplateResult {
    const { api, stage, preferences, voice, scene, selected } = this;
    const choose = (objectIds: readonly string[]) => this.#choose(objectIds);
    const own = { gestures: this.#gestures, hiddenPeople: this.#hiddenPeople };
    const open = this.#panels.find(({ id }) => id === this.panel);
    const inputs: Omit<PanelInputs, "open"> = {
      api,
      session,
      stage,
      preferences,
      voice,
      ...own,
      scene,
      selected,
      choose,
    };
    return html`<div
      id="panel"
      class="panel"
      role="region"
      aria-label=${open === undefined ? nothing : texts.overlay.panels[open.id]}
      ?hidden=${this.panel === null}
      @keydown=${(event: KeyboardEvent) => this.#key(event)}
      @keyup=${(event: KeyboardEvent) => event.stopPropagation()}
      @stoa-offer=${(event: CustomEvent<readonly MenuEntry[]>) => this.#headsetMenu.setTools(event.detail)}
      @stoa-panel=${(event: CustomEvent<PanelId | null>) => this.#open(event.detail)}
    >
      <div class="head">
        <h2>${open === undefined ? nothing : (open.title?.(session) ?? texts.overlay.panels[open.id])}</h2>
        <button
          type="button"
          class="close plain"
          aria-label=${texts.shared.close}
          @click=${(event: MouseEvent) => this.#close(event.detail === 0)}
        >
          ${icon("close")}
        </button>
      </div>
      ${this.#panels.map((panel) => this.#drawn(panel, inputs))}
    </div>`;
  }

  #drawn({ id, stays, draw }: PanelDeclaration, inputs: Omit<PanelInputs, "open">): TemplateResult | typeof nothing {
    const open = this.panel === id;
    const loaded = this.loaded.has(id);
    if (!open && !(stays === true && loaded)) return nothing;
    if (!loaded) return html`<p class="muted" role="status">${texts.overlay.loading}</p>`;
    return html`<div ?hidden=${!open} @stoa-heard=${() => this.#heard(id)}>${draw({ ...inputs, open })}</div>`;
  }

  #heard(panel: PanelId): void {
    if (this.panel !== panel) this.news = new Map(this.news).set(panel, (this.news.get(panel) ?? 0) + 1);
  }

  /** The touch pad and the hint on movement. */
  #walkControls(): TemplateResult {
    return html`<stoa-hint class="hint" .preferences=${this.preferences}></stoa-hint><stoa-pad
      class="pad"
      role="region"
      aria-label=${texts.overlay.walkByTouch}
      @stoa-walk=${({ detail }: CustomEvent<WalkDirection>) => this.stage?.setMove(detail.x, detail.z)}
    ></stoa-pad>`;
  }

  /** Closes the panel. For a keyboard user the panel's button gets the focus. */
  #close(byKeyboard: boolean): void {
    const { panel } = this;
    this.#open(null);
    if (!byKeyboard || panel === null) return;
    const own = this.renderRoot.querySelector<HTMLElement>(`.tools > [data-panel="${panel}"]`);
    (own ?? this.renderRoot.querySelector<HTMLElement>("[data-more]"))?.focus();
  }

  #open(id: PanelId | null): void {
    const panel = this.#panels.find((candidate) => candidate.id === id);
    this.panel = panel?.id ?? null;
    // The scroll position of the previous panel is reset.
    this.renderRoot.querySelector("#panel")?.scrollTo(0, 0);
    this.menu = false;
    if (panel !== undefined) {
      this.news = new Map([...this.news].filter(([heard]) => heard !== panel.id));
      if (!this.loaded.has(panel.id)) this.#load(panel);
    }
    if (panel?.edits !== true) this.#choose([]);
    this.stage?.setEditMode(panel?.edits === true);
    if (this.hasAttribute("editing") === (panel?.edits === true)) return;
    this.toggleAttribute("editing");
    // On a phone the editor shrinks the scene; A-Frame measures its canvas on `resize`.
    dispatchEvent(new Event("resize"));
  }

  #load({ id, load }: PanelDeclaration): void {
    load?.().then(
      () => {
        this.loaded = new Set(this.loaded).add(id);
      },
      () => {
        this.#open(null);
        this.#say(texts.overlay.notLoaded(texts.overlay.panels[id]));
      },
    );
  }

  #choose(objectIds: readonly string[]): void {
    if (objectIds.join("\n") === this.selected.join("\n")) return;
    this.selected = objectIds;
    this.stage?.select(objectIds);
    this.dispatchEvent(new CustomEvent<readonly string[]>("stoa-choose", { detail: objectIds }));
  }

  /** Selects an object again after the view has drawn it: an object may be selected before it is drawn. */
  #showChosen(objectId: string): void {
    if (this.selected.includes(objectId)) queueMicrotask(() => this.stage?.select(this.selected));
  }

  /** Stops keys typed into a panel from moving the user. Escape clears a search field, otherwise closes the panel. */
  #key(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key !== "Escape") return;
    const [field] = event.composedPath();
    if (field instanceof HTMLInputElement && field.type === "search" && field.value !== "") {
      event.preventDefault();
      field.value = "";
      field.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    } else this.#close(true);
  }

  /** Handles keys pressed outside of panels, which stop the propagation of their keys. */
  readonly #shortcut = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (event.key === "Escape") {
      if (this.menu) this.menu = false;
      else this.#open(null);
    }
    if (this.preferences?.comfort.letterKeys === false) return;
    const panel = this.#panels.find(({ key }) => key === event.key.toLowerCase());
    if (panel !== undefined) this.#open(this.panel === panel.id ? null : panel.id);
  };

  #refused({ reason, limit, objectId }: Refusal): void {
    const about = objectId === undefined ? "" : ` (${objectId})`;
    this.#say(texts.overlay.refused(about, refusalText(reason, limit)));
  }

  #say(text: string): void {
    this.toast.say(text);
  }
}
