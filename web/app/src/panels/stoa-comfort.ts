import { COMFORT, type Comfort } from "@stoa/aframe/comfort";
import { html, LitElement, type TemplateResult } from "lit";
import { isTicked, typedIn } from "../controls/form-fields.ts";
import { ANGLES, RAISES, SPEEDS, VIGNETTES } from "../preferences/comfort.ts";
import type { Preferences } from "../preferences/preferences.ts";
import type { SceneViewController } from "../scene/stage.ts";
import { fields, sharedStyles } from "../styles/shared.ts";
import { number, texts } from "../texts/texts.ts";

type OptionLabelFormatter = (value: number, at: number) => string;

/** The comfort settings of movement. Changes apply at once and are saved. */
export class StoaComfortSettings extends LitElement {
  static override readonly properties = { preferences: { attribute: false }, stage: { attribute: false } };
  static override readonly styles = [sharedStyles, fields];
  declare preferences: Preferences | undefined;
  declare stage: SceneViewController | undefined;

  override render() {
    const { comfort } = this;
    return html`<fieldset>
      <legend>${texts.comfort.title}</legend>
      <label
        >${texts.comfort.turn}<select
          name="turn"
          @change=${(event: Event) => this.#change({ turn: typedIn(event) === "smooth" ? "smooth" : "snap" })}
        >
          <option value="snap" ?selected=${comfort.turn === "snap"}>${texts.comfort.snap}</option>
          <option value="smooth" ?selected=${comfort.turn === "smooth"}>${texts.comfort.smooth}</option>
        </select></label
      >
      ${this.#choice("angle", ANGLES, (angle) => texts.comfort.degrees(angle))}
      ${this.#choice("speed", SPEEDS, (speed, at) => texts.comfort.speeds[at] ?? number(speed))}
      ${this.#choice("vignette", VIGNETTES, (much, at) => texts.comfort.vignettes[at] ?? number(much))}
      <label class="row"
        ><input
          name="jump"
          type="checkbox"
          .checked=${comfort.jump}
          @change=${(event: Event) => this.#change({ jump: isTicked(event) })}
        />${texts.comfort.jump}</label
      >
      <label class="row"
        ><input
          name="letter-keys"
          type="checkbox"
          .checked=${comfort.letterKeys}
          @change=${(event: Event) => this.#change({ letterKeys: isTicked(event) })}
        />${texts.comfort.letterKeys}</label
      >
      ${this.#choice("raise", RAISES, (raise) => texts.comfort.raised(raise))}
    </fieldset>`;
  }

  get comfort(): Comfort {
    return this.preferences?.comfort ?? COMFORT;
  }

  #choice(
    key: "angle" | "speed" | "vignette" | "raise",
    choices: readonly number[],
    format: OptionLabelFormatter,
  ): TemplateResult {
    return html`<label
      >${texts.comfort[key]}<select
        name=${key}
        ?disabled=${key === "angle" && this.comfort.turn === "smooth"}
        @change=${(event: Event) => this.#change({ [key]: Number(typedIn(event)) })}
      >
        ${choices.map((value, at) => html`<option value=${value} ?selected=${this.comfort[key] === value}>${format(value, at)}</option>`)}
      </select></label
    >`;
  }

  #change(part: Partial<Comfort>): void {
    const comfort = { ...this.comfort, ...part };
    if (this.preferences !== undefined) this.preferences.comfort = comfort;
    this.stage?.setComfort(comfort);
    this.requestUpdate();
  }
}
