import type { SceneSession, Undone } from "@stoa/client";
import { css, html, LitElement, type PropertyValues } from "lit";
import { ToastController } from "../controls/toast.ts";
import { isTyping } from "../editor/shortcuts.ts";
import { icon } from "../styles/icons.ts";
import { sharedStyles } from "../styles/shared.ts";
import { errorText } from "../texts/error-texts.ts";
import { texts } from "../texts/texts.ts";

/**
 * Undo and redo of the user's own changes, by buttons, and by keys while `active`. Reports skipped changes, such as
 * those of objects that another person has changed since.
 */
export class StoaUndoButtons extends LitElement {
  static override readonly properties = {
    session: { attribute: false },
    active: { type: Boolean },
    result: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    css`
      div {
        display: grid;
        grid-template-columns: 1fr 1fr;
        gap: var(--space-2);
        margin-top: var(--space-3);
      }
      p {
        margin-top: var(--space-2);
        font-size: var(--text-s);
      }
      p:empty {
        display: none;
      }
    `,
  ];
  declare session: SceneSession | undefined;
  /** Whether the buttons are shown; while hidden, the keys are ignored too. */
  declare active: boolean;
  /** The skipped changes with reasons, or an error; kept until the next undo or redo. */
  declare result: readonly string[];
  readonly #done = new ToastController(this);
  #stop: () => void = () => undefined;
  #underWay = 0;

  constructor() {
    super();
    this.active = true;
    this.result = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Runs before panels stop the propagation of keys.
    addEventListener("keydown", this.#key, { capture: true });
    this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#key, { capture: true });
    this.#stop();
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("session")) this.#follow();
  }

  override render() {
    const { canUndo = false, canRedo = false } = this.session?.undo ?? {};
    return html`<div role="group" aria-label=${texts.undo.title}>
        <button type="button" aria-keyshortcuts="Control+Z" ?disabled=${!canUndo} @click=${() => this.#go("undo")}>
          ${icon("undo")}${texts.undo.undo}
        </button>
        <button type="button" aria-keyshortcuts="Control+Shift+Z" ?disabled=${!canRedo} @click=${() => this.#go("redo")}>
          ${icon("redo")}${texts.undo.redo}
        </button>
      </div>
      <p class="muted" role="status">${[this.#done.text, ...this.result].join(" ").trim()}</p>`;
  }

  #follow(): void {
    this.#stop();
    this.#stop = this.session?.undo.follow(() => this.requestUpdate()) ?? (() => undefined);
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (!this.active || !(event.ctrlKey || event.metaKey) || event.altKey || this.session === undefined) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && !(key === "y" && !event.shiftKey)) return;
    const [target] = event.composedPath();
    // The browser itself undoes typed text.
    if (isTyping(target ?? null)) return;
    event.preventDefault();
    event.stopPropagation();
    // A held key repeats only as fast as the realm answers, so that no repeats are queued at its release.
    if (event.repeat && this.#underWay > 0) return;
    this.#go(key === "y" || event.shiftKey ? "redo" : "undo");
  };

  #go(way: "undo" | "redo"): void {
    const { undo } = this.session ?? {};
    if (undo === undefined || !(way === "undo" ? undo.canUndo : undo.canRedo)) return;
    this.#underWay += 1;
    const gone = undo[way]().then(
      (undone) => this.#showResult(undone.done ? texts.undo.done[way] : "", whyLeft(undone)),
      (error: unknown) => this.#showResult("", [errorText(error)]),
    );
    void gone.then(() => {
      this.#underWay -= 1;
    });
  }

  #showResult(done: string, result: readonly string[]): void {
    this.#done.say(done);
    this.result = result;
  }
}

/** The changes that an undo or redo skipped, with reasons. */
function whyLeft({ left }: Undone): readonly string[] {
  const lines = left.map(({ objectId, why, keys, by }) => {
    const who = by ?? texts.undo.somebody;
    return why === "changed" ? texts.undo.changed(objectId, who, keys) : texts.undo.left[why](objectId);
  });
  return [...new Set(lines)];
}
