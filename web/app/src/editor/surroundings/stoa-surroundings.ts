import type { SceneSession } from "@stoa/client";
import { css, html, LitElement, type TemplateResult } from "lit";
import { SessionRedrawController } from "../../scene/session-updates.ts";
import { sections, sharedStyles, tiles } from "../../styles/shared.ts";
import { texts } from "../../texts/texts.ts";
import type { Editor } from "../editor.ts";
import {
  changesForLights,
  changesForPreset,
  choices,
  chosenLights,
  chosenPreset,
  type LightSetName,
  lightSets,
} from "./surroundings.ts";

const words = texts.edit.surroundings;

/** One choice in the list. */
interface SurroundingsOption {
  readonly name: string;
  readonly pressed: boolean;
  /** Colours from top to bottom. */
  readonly colors: readonly [string, string, string];
  readonly choose: () => void;
}

/**
 * Selects the scene's surroundings and lights by a press. A choice applies at once for all people, as one undo step.
 */
export class StoaSurroundingsTab extends LitElement {
  static override readonly properties = { editor: { attribute: false }, session: { attribute: false } };
  static override readonly styles = [
    sharedStyles,
    sections,
    tiles,
    css`
      .tiles button {
        font-size: var(--text-s);
      }
      .swatch {
        width: 100%;
        height: 2.5rem;
        border-radius: var(--radius-s);
        border: 1px solid var(--line);
        background: linear-gradient(var(--a) 0, var(--b) 62%, var(--c) 62%, var(--c) 100%);
      }
    `,
  ];
  declare editor: Editor | undefined;
  declare session: SceneSession | undefined;

  constructor() {
    super();
    new SessionRedrawController(this, ["object", "reset"]);
  }

  override render() {
    const objects = this.editor?.objects ?? new Map();
    const preset = chosenPreset(objects);
    const lights = chosenLights(objects);
    return html`<section aria-label=${words.title}>
        <h3>${words.title}</h3>
        <div class="tiles">
          ${choices.map((choice) =>
            this.#choice({
              name: words.presets[choice.preset] ?? choice.preset,
              pressed: choice.preset === preset,
              colors: [choice.sky, choice.horizon, choice.ground],
              choose: () => this.#surround(choice.preset),
            }),
          )}
        </div>
      </section>
      <section aria-label=${words.lightTitle}>
        <h3>${words.lightTitle}</h3>
        <div class="tiles">
          ${this.#choice({
            name: words.ownLight,
            pressed: lights === null,
            colors: ["#e6eef5", "#cbd5e1", "#94a3b8"],
            choose: () => this.#light(null),
          })}
          ${lightSets.map(({ name, colors }) =>
            this.#choice({
              name: words.lights[name],
              pressed: name === lights,
              colors,
              choose: () => this.#light(name),
            }),
          )}
        </div>
        <p class="muted small">${words.lightNote}</p>
      </section>`;
  }

  #choice({ name, pressed, colors: [a, b, c], choose }: SurroundingsOption): TemplateResult {
    return html`<button type="button" aria-pressed=${pressed} @click=${choose}>
      <span class="swatch" aria-hidden="true" style=${`--a: ${a}; --b: ${b}; --c: ${c}`}></span>${name}
    </button>`;
  }

  #surround(preset: string): void {
    const { editor } = this;
    if (editor !== undefined && chosenPreset(editor.objects) !== preset)
      void editor.run(changesForPreset(editor.objects, preset));
  }

  #light(set: LightSetName | null): void {
    const { editor } = this;
    if (editor !== undefined && chosenLights(editor.objects) !== set)
      void editor.run(changesForLights(editor.objects, set));
  }
}
