import type { MenuEntry } from "@stoa/aframe";
import type { Api, SceneSession } from "@stoa/client";
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { ToastController } from "../controls/toast.ts";
import type { Preferences } from "../preferences/preferences.ts";
import { SessionRedrawController } from "../scene/session-updates.ts";
import type { SceneViewController } from "../scene/stage.ts";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";
import { SceneUploads } from "./adding/scene-uploads.ts";
import { editStyles } from "./edit-styles.ts";
import { Editor, type EditorHost } from "./editor.ts";
import { headsetTools } from "./headset-tools.ts";
import { HoldRedrawController } from "./hold-redraw-controller.ts";
import { browserClipboard } from "./objects/clipboard.ts";
import { actionOf, isTyping, type ShortcutAction } from "./shortcuts.ts";

/** The editor's tabs. */
type Tab = "add" | "things" | "details" | "scene";

type ButtonRenderer = (action: ShortcutAction, label: string, look?: string) => TemplateResult;
type ToggleTemplate = (action: ShortcutAction, label: string, pressed: boolean) => TemplateResult;

const words = texts.edit;
const TABS: readonly Tab[] = ["add", "things", "details", "scene"];
/** The tabs that show the tools for the selection. */
const ABOUT_CHOSEN: readonly Tab[] = ["things", "details"];
/** Snap distances, in metres and degrees: a quarter of a metre, 24 steps to the circle. */
const STEPS = { grid: 0.25, angle: 15 } as const;
const NO_STEPS = { grid: 0, angle: 0 } as const;

/**
 * The editor's panel. Emits `stoa-choose` with the selected ids, and `stoa-offer` with the menu entries for VR and AR.
 */
export class StoaEditorPanel extends LitElement implements EditorHost {
  static override readonly properties = {
    api: { attribute: false },
    session: { attribute: false },
    stage: { attribute: false },
    preferences: { attribute: false },
    scene: {},
    active: { type: Boolean },
    selected: { attribute: false },
    tab: { state: true },
    wrong: { state: true },
    mode: { state: true },
    steps: { state: true },
    own: { state: true },
    several: { state: true },
    keys: { state: true },
  };
  static override readonly styles = [sharedStyles, editStyles];
  declare api: Api | undefined;
  declare session: SceneSession | undefined;
  declare stage: SceneViewController | undefined;
  declare preferences: Preferences | undefined;
  declare scene: string;
  /** Whether the editor is shown. A hidden editor continues uploads, but ignores keys and holds no objects. */
  declare active: boolean;
  declare selected: readonly string[];
  declare tab: Tab;
  declare wrong: string;
  declare mode: "move" | "turn" | "size";
  declare steps: boolean;
  declare own: boolean;
  declare several: boolean;
  declare keys: boolean;
  readonly toast = new ToastController(this);
  readonly editor: Editor;
  readonly uploads: SceneUploads;
  #held = "";
  #offered = "";
  #stopUndo: () => void = () => undefined;

  constructor() {
    super();
    this.scene = "";
    this.active = true;
    this.selected = [];
    this.tab = "add";
    this.wrong = "";
    this.mode = "move";
    this.steps = false;
    this.own = false;
    this.several = false;
    this.keys = false;
    this.editor = new Editor(this, browserClipboard(localStorage));
    this.uploads = new SceneUploads(this);
    new SessionRedrawController(this, ["object", "reset", "status"]);
    new HoldRedrawController(this);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.uploads.requestQuota();
    // Runs before the page's own keys, since one of them closes this panel.
    addEventListener("keydown", this.#key, { capture: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#key, { capture: true });
    this.uploads.uploads.end();
    this.#stopUndo();
    this.stage?.setMover(null);
    this.session?.setLooks({ holds: [] });
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("selected")) {
      if (this.selected.length > 0 && this.tab === "add") this.tab = "details";
      if (this.selected.length === 0 && this.tab === "details") this.tab = "add";
    }
  }

  override updated(changed: PropertyValues): void {
    if (changed.has("session")) {
      void this.uploads.requestQuota();
      this.#stopUndo();
      this.#stopUndo = this.session?.undo.follow(() => this.requestUpdate()) ?? (() => undefined);
    }
    this.#offer();
    if (changed.has("stage")) this.stage?.setMover((move) => this.editor.takeMove(move));
    if (["stage", "mode", "steps", "own", "several"].some((key) => changed.has(key))) {
      const { mode, own, several: adds } = this;
      this.stage?.setGizmo({ mode, own, adds, ...(this.steps ? STEPS : NO_STEPS) });
    }
    if (["selected", "session", "active"].some((key) => changed.has(key))) this.#hold();
  }

  /** Emits the menu entries for VR and AR if they changed. */
  #offer(): void {
    const detail = this.active ? headsetTools(this.editor, this.session?.undo, () => this.choose([])) : [];
    const labels = detail.map(({ label }) => label).join("\n");
    if (labels === this.#offered) return;
    this.#offered = labels;
    this.dispatchEvent(new CustomEvent<readonly MenuEntry[]>("stoa-offer", { detail, bubbles: true, composed: true }));
  }

  /** Sends the ids that this person holds, if they changed. */
  #hold(): void {
    const holds = this.active ? this.selected : [];
    if (holds.join("\n") === this.#held) return;
    this.#held = holds.join("\n");
    this.session?.setLooks({ holds });
  }

  override render() {
    return html`<div class="tabs" role="tablist" aria-label=${words.tabList} @keydown=${(event: KeyboardEvent) => this.#tabKey(event)}>
        ${TABS.map(
          (tab) => html`<button
            type="button"
            role="tab"
            id=${`tab-${tab}`}
            aria-selected=${this.tab === tab}
            aria-controls="part"
            tabindex=${this.tab === tab ? 0 : -1}
            @click=${() => this.#show(tab)}
          >
            ${words.tabs[tab]}
          </button>`,
        )}
      </div>
      <stoa-undo .session=${this.session} .active=${this.active}></stoa-undo>
      ${this.selected.length > 0 && ABOUT_CHOSEN.includes(this.tab) ? this.#tools() : nothing}
      <div id="part" role="tabpanel" aria-labelledby=${`tab-${this.tab}`}>
        <stoa-add
          ?hidden=${this.tab !== "add"}
          .editor=${this.editor}
          .session=${this.session}
          .stage=${this.stage}
          .scene=${this.scene}
          .active=${this.active}
          .uploads=${this.uploads}
          .version=${this.uploads.version}
        ></stoa-add>
        ${this.#part()}
      </div>
      ${this.keys ? this.#keyList() : nothing}
      <p class="told" role="status">${this.toast.text === "" ? nothing : this.toast.text}</p>
      <p class="told wrong" role="alert">${this.wrong === "" ? nothing : this.wrong}</p>`;
  }

  choose(objectIds: readonly string[]): void {
    const detail = objectIds;
    this.dispatchEvent(new CustomEvent<readonly string[]>("stoa-choose", { detail, bubbles: true, composed: true }));
  }

  showError(message: string): void {
    this.wrong = message;
    this.toast.say("");
  }

  /** The open tab's content, except the add tab: `render` keeps it, so that a half-typed address isn't lost. */
  #part(): TemplateResult | typeof nothing {
    switch (this.tab) {
      case "add":
        return nothing;
      case "things":
        // A hidden tree gets no session, so that scene changes don't redraw it.
        return html`<stoa-tree
          .editor=${this.editor}
          .session=${this.active ? this.session : undefined}
          .selected=${this.selected}
        ></stoa-tree>`;
      case "scene":
        return html`<stoa-surroundings .editor=${this.editor} .session=${this.session}></stoa-surroundings>`;
      case "details": {
        const [object] = this.editor.chosen;
        if (object === undefined) return html`<p class="muted">${words.nothingChosen}</p>`;
        if (this.selected.length > 1) return html`<p class="muted">${words.details.several}</p>`;
        // Keyed by id, so that errors and half-typed values don't carry over to the next object.
        return html`${keyed(
          object.objectId,
          html`<stoa-inspector
            .editor=${this.editor}
            .session=${this.session}
            .stage=${this.stage}
            .uploads=${this.uploads}
            .version=${this.uploads.version}
            .api=${this.api}
            .scene=${this.scene}
            .object=${object}
          ></stoa-inspector>`,
        )}`;
      }
    }
  }

  #tools(): TemplateResult {
    const { tools } = words;
    const button: ButtonRenderer = (action, label, look = "") =>
      html`<button type="button" class=${look} @click=${() => this.#do(action)}>${label}</button>`;
    const toggle: ToggleTemplate = (action, label, pressed) =>
      html`<button type="button" aria-pressed=${pressed} @click=${() => this.#do(action)}>${label}</button>`;
    return html`<section class="tools" aria-label=${tools.label}>
      ${this.selected.length > 1 ? html`<p class="muted">${words.chosen(this.selected.length)}</p>` : nothing}
      <div class="row">
        ${(["move", "turn", "size"] as const).map((mode) => toggle(mode, tools.modes[mode], this.mode === mode))}
      </div>
      <div class="row">
        ${button("duplicate", tools.duplicate)} ${button("remove", tools.delete, "danger")} ${button("none", tools.done)}
      </div>
      ${this.#moreTools(button, toggle)}
    </section>`;
  }

  #moreTools(button: ButtonRenderer, toggle: ToggleTemplate): TemplateResult {
    const { tools } = words;
    const { chosen } = this.editor;
    const locked = chosen.length > 0 && chosen.every(({ attributes }) => attributes.locked === true);
    const hasGroup = chosen.some(({ objectId }) => this.editor.childrenOf(objectId).length > 0);
    return html`<details class="more">
      <summary>${tools.more}</summary>
      <div class="row">
        ${toggle("snap", tools.snap, this.steps)} ${toggle("own", tools.own, this.own)}
        <button type="button" aria-pressed=${this.several} title=${tools.severalTitle} @click=${() => this.#toggleSeveral()}>${tools.several}</button>
      </div>
      <div class="row">${button("copy", tools.copy)} ${button("cut", tools.cut)} ${button("paste", tools.paste)}</div>
      <div class="row">
        ${hasGroup ? button("ungroup", tools.ungroup) : button("group", tools.group)}
        ${button("lock", locked ? tools.unlock : tools.lock)}
        <button type="button" aria-expanded=${this.keys} @click=${() => this.#toggleKeys()}>${tools.shortcuts}</button>
      </div>
    </details>`;
  }

  #keyList(): TemplateResult {
    const { shortcuts } = words;
    const rows: readonly (readonly [string, string])[] = [
      ["1 2 3", shortcuts.mode],
      ["N", shortcuts.snap],
      ["X", shortcuts.own],
      ["L", shortcuts.lock],
      [shortcuts.ctrl("C X V"), shortcuts.copy],
      [shortcuts.ctrl("D"), shortcuts.duplicate],
      [shortcuts.ctrl("(⇧) G"), shortcuts.group],
      ["⌫", shortcuts.remove],
      ["Esc", shortcuts.none],
      [shortcuts.shiftPress, shortcuts.add],
      [shortcuts.ctrlPress, shortcuts.addRow],
      [shortcuts.shiftPress, shortcuts.range],
      [shortcuts.arrows, shortcuts.nudge],
    ];
    return html`<section class="keys" aria-label=${shortcuts.title}>
      <h3>${shortcuts.title}</h3>
      <dl>${rows.map(([keys, meaning]) => html`<dt><kbd>${keys}</kbd></dt><dd>${meaning}</dd>`)}</dl>
    </section>`;
  }

  #show(tab: Tab): void {
    this.tab = tab;
    this.toast.say("");
  }

  #toggleSeveral(): void {
    this.several = !this.several;
  }

  #toggleKeys(): void {
    this.keys = !this.keys;
  }

  #tabKey(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    this.#show(TABS[(TABS.indexOf(this.tab) + step + TABS.length) % TABS.length] ?? "add");
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
  }

  readonly #key = (event: KeyboardEvent): void => {
    const [target] = event.composedPath();
    if (!this.active || isTyping(target ?? null) || event.repeat) return;
    const action = actionOf(event, this.preferences?.comfort.letterKeys);
    // Without a selection, all keys except paste belong to the scene.
    if (action === undefined || (this.selected.length === 0 && action !== "paste")) return;
    // With marked text, copy and cut act on the text.
    if ((action === "copy" || action === "cut") && `${getSelection() ?? ""}` !== "") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#do(action);
  };

  #do(action: ShortcutAction): void {
    const { editor } = this;
    this.wrong = "";
    switch (action) {
      case "move":
      case "turn":
      case "size":
        this.mode = action;
        break;
      case "snap":
        this.steps = !this.steps;
        break;
      case "own":
        this.own = !this.own;
        break;
      case "lock":
        void editor.lock(!editor.chosen.every(({ attributes }) => attributes.locked === true));
        break;
      case "copy":
        this.toast.say(words.tools.copied(editor.copy()));
        break;
      case "none":
        this.choose([]);
        break;
      default:
        void editor[action]();
    }
  }
}
