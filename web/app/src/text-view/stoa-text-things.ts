import { html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { NEARBY_THINGS_MAX } from "../limits.ts";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";
import { bearingInWords, button, kindOf, shortened } from "./descriptions.ts";
import type { NearbyEntry } from "./nearby.ts";
import type { AvailableObjectAction, TextViewObject } from "./objects.ts";
import { entryStyles } from "./text-styles.ts";
import type { Visit } from "./visit.ts";

const words = texts.textView;

/** The action that the user chose, with its object. */
export interface ChosenObjectAction {
  readonly object: TextViewObject;
  readonly action: AvailableObjectAction;
}

/** A list of objects with their actions. Emits `stoa-act` with a {@link ChosenObjectAction}. */
export class StoaTextObjectList extends LitElement {
  static override readonly properties = {
    visit: { attribute: false },
    things: { attribute: false },
    cut: { type: Boolean },
    all: { state: true },
  };
  static override readonly styles = [sharedStyles, entryStyles];
  declare visit: Visit | undefined;
  declare things: readonly NearbyEntry<TextViewObject>[];
  /** Whether only the nearest objects are shown at first: true without a search text. */
  declare cut: boolean;
  declare all: boolean;

  constructor() {
    super();
    this.things = [];
    this.cut = false;
    this.all = false;
  }

  override render(): TemplateResult | typeof nothing {
    const { visit, things } = this;
    if (visit === undefined) return nothing;
    const shown = this.all || !this.cut ? things : things.slice(0, NEARBY_THINGS_MAX);
    return html`<div class="stack">
      <ul class="list">
        ${repeat(
          shown,
          ({ id }) => id,
          (near) => this.#entry(near, visit),
        )}
      </ul>
      ${shown.length < things.length ? this.#rest(things.length) : nothing}
    </div>`;
  }

  #entry({ of: object, bearing }: NearbyEntry<TextViewObject>, visit: Visit): TemplateResult {
    return html`<li>
      <div class="what">
        <h3>${object.name}</h3>
        <span class="muted">${kindOf(object)}${bearing === undefined ? nothing : html` · ${bearingInWords(bearing)}`}</span>
      </div>
      ${object.says.map((line) => html`<p class="said">${line}</p>`)}
      <div class="row-of-buttons">
        ${object.actions.map((action) => this.#action(object, action, visit))}
        ${button(words.goTo, object.name, () => visit.setOut({ kind: "object", name: object.name, id: object.id }))}
      </div>
    </li>`;
  }

  #rest(count: number): TemplateResult {
    return html`<div>
      <button
        type="button"
        @click=${() => {
          this.all = true;
        }}
      >
        ${words.all(count)}
      </button>
    </div>`;
  }

  #action(object: TextViewObject, action: AvailableObjectAction, visit: Visit): TemplateResult {
    const act = () => {
      const detail: ChosenObjectAction = { object, action };
      this.dispatchEvent(new CustomEvent<ChosenObjectAction>("stoa-act", { detail }));
    };
    return button(labelOf(action, visit), object.name, act, "primary");
  }
}

function labelOf(action: AvailableObjectAction, visit: Visit): string {
  switch (action.kind) {
    case "press":
      return words.press;
    case "button":
      return action.name;
    case "open":
      return words.open(shortened(action.url, location.origin));
    case "travel":
      return words.travel(visit.nameOf(action.landmark));
    case "portal":
      return words.through(action.scene);
    case "ask":
      return words.answer(action.question.title);
    case "sit":
      return words.sit;
    default:
      return unreachable(action);
  }
}

function unreachable(value: never): never {
  throw new Error(`unknown action: ${JSON.stringify(value)}`);
}
