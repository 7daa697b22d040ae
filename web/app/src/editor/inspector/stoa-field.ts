import type { Attribute } from "@stoa/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { isTicked, showAgain, typedIn } from "../../controls/form-fields.ts";
import { sharedStyles } from "../../styles/shared.ts";
import { texts } from "../../texts/texts.ts";
import {
  type FormFieldKind,
  fieldOf,
  labelOf,
  meaningOf,
  type NamedAttribute,
  parted,
  shownValue,
  typedValue,
  type VisibleAndFoldedAttributes,
  wordsOf,
} from "./fields.ts";

const words = texts.edit.details;

/** The detail of `stoa-patch`: attribute name to value; `null` removes the attribute. */
export type FieldPatch = Readonly<Record<string, unknown>>;

/** The form field of one attribute, by its schema; for a group one nested field per attribute. Emits `stoa-patch`. */
export class StoaAttributeField extends LitElement {
  static override readonly properties = {
    name: {},
    called: {},
    attribute: { attribute: false },
    help: { attribute: false },
    schema: { attribute: false },
    value: { attribute: false },
    wrong: { state: true },
    isOpen: { attribute: false },
  };
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: block;
      }
      .help {
        font-size: var(--text-xs);
        color: var(--muted);
      }
      .field {
        display: grid;
        gap: var(--space-1);
      }
      .wrong {
        font-size: var(--text-s);
      }
      .axes {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(4rem, 1fr));
        gap: var(--space-2);
      }
      .pair {
        display: grid;
        grid-template-columns: 3.5rem 1fr;
        gap: var(--space-2);
      }
      details {
        border-left: 2px solid var(--line);
        padding-left: var(--space-2);
      }
      summary {
        cursor: pointer;
        padding: var(--space-1) 0;
      }
      .inner {
        display: grid;
        gap: var(--space-2);
        padding: var(--space-1) 0;
      }
    `,
  ];
  declare name: string;
  /** The display name; if empty, the attribute's name in words. */
  declare called: string;
  declare attribute: Attribute | undefined;
  declare help: string;
  /** For a group: the schema of its attributes. */
  declare schema: string;
  declare value: unknown;
  declare wrong: string;
  /** For a group: whether its attributes are shown. */
  declare isOpen: boolean;
  /** For an open group: its attributes in the order they had when it was opened. */
  #sections: VisibleAndFoldedAttributes | undefined;

  constructor() {
    super();
    this.name = "";
    this.called = "";
    this.help = "";
    this.schema = "";
    this.wrong = "";
    this.isOpen = false;
  }

  override render() {
    const { attribute } = this;
    if (attribute === undefined) return nothing;
    const field = fieldOf(this.name, attribute, this.value);
    if (field.kind === "group") return this.#group(field.group.attributes);
    if (field.kind === "axes") return this.#axes(field.axes);
    return html`<div class="field">
      <label class=${field.kind === "flag" ? "row" : ""}
        >${field.kind === "flag" ? nothing : this.#label()}${this.#control(field)}${field.kind === "flag" ? this.#label() : nothing}</label
      >
      ${this.#notes()}
    </div>`;
  }

  get #called(): string {
    return this.called === "" ? labelOf(this.name) : this.called;
  }

  #label(): TemplateResult {
    const unit = this.attribute?.unit;
    return html`<span>${this.#called}${unit === undefined ? nothing : ` (${unit})`}${this.#key()}</span>`;
  }

  /** The attribute's name in the schema, shown after a differing display name: programs and the reference use it. */
  #key(): TemplateResult | typeof nothing {
    return this.#called.toLowerCase() === labelOf(this.name).toLowerCase()
      ? nothing
      : html` <small class="key muted">${this.name}</small>`;
  }

  #notes(): TemplateResult {
    const fallback = this.attribute?.default;
    const without = fallback === undefined || typeof fallback === "object" ? "" : ` ${words.default(String(fallback))}`;
    return html`<small id="help" class="help">${this.help}${without}</small>
      ${this.wrong === "" ? nothing : html`<span id="wrong" class="wrong" role="alert">${this.wrong}</span>`}`;
  }

  #control(field: FormFieldKind): TemplateResult {
    const { wrong } = this;
    const told = wrong === "" ? "help" : "help wrong";
    const shown = shownValue(field, this.value);
    const take = (event: Event) => this.#take(field, typedIn(event));
    switch (field.kind) {
      case "flag":
        return html`<input type="checkbox" aria-describedby="help" .checked=${this.#isOn} @change=${(event: Event) => this.#tell(isTicked(event))} />`;
      case "choice":
        return html`<select aria-describedby=${told} aria-invalid=${wrong !== ""} @change=${take}>
          <option value="" ?selected=${shown === ""}>${words.unset}</option>
          ${field.values.map((value) => html`<option value=${value} ?selected=${value === shown}>${value}</option>`)}
        </select>`;
      case "color":
        return html`<span class="pair"
          ><input type="color" aria-label=${this.#called} .value=${sixDigits(shown)} @change=${take} /><input
            aria-describedby=${told}
            .value=${shown}
            @change=${take}
        /></span>`;
      case "text":
      case "json":
        return html`<textarea rows="2" aria-describedby=${told} aria-invalid=${wrong !== ""} spellcheck=${field.kind === "text"} .value=${shown} @change=${take}></textarea>`;
      case "number":
        return html`<input
          inputmode="decimal"
          autocomplete="off"
          aria-describedby=${told}
          aria-invalid=${wrong !== ""}
          placeholder=${placeholderOf(this.attribute)}
          .value=${shown}
          @change=${take}
          @keydown=${(event: KeyboardEvent) => this.#step(event, field)}
        />`;
      default:
        return html`<input autocomplete="off" aria-describedby=${told} aria-invalid=${wrong !== ""} placeholder=${placeholderOf(this.attribute)} .value=${shown} @change=${take} />`;
    }
  }

  get #isOn(): boolean {
    const { value } = this;
    const fallback = this.attribute?.default === true;
    return value === undefined || value === null ? fallback : value === true || value === "" || value === "true";
  }

  #axes(axes: readonly string[]): TemplateResult {
    const now = bagOf(this.value ?? this.attribute?.default);
    return html`<div class="field" role="group" aria-label=${this.#called}>
      <span class="muted">${this.#label()}</span>
      <span class="axes">
        ${axes.map(
          (axis) => html`<input
            inputmode="decimal"
            autocomplete="off"
            aria-label=${`${this.#called} ${axis}`}
            aria-describedby="help"
            .value=${shownAxis(now[axis])}
            @change=${(event: Event) => this.#takeAxis(axis, event)}
          />`,
        )}
      </span>
      ${this.#notes()}
    </div>`;
  }

  /**
   * The fields of a group keep their order while the group is open: a row that moved would lose the focus. They are
   * rendered only when the group is opened, since some groups have a hundred fields.
   */
  #group(attributes: Readonly<Record<string, Attribute>>): TemplateResult {
    const now = bagOf(this.value);
    const named = Object.entries(attributes).filter(([, { deprecated }]) => deprecated !== true);
    this.#sections = this.isOpen
      ? (this.#sections ?? parted(this.schema, named, (name) => now[name] !== undefined))
      : undefined;
    return html`<details ?open=${this.isOpen} @toggle=${(event: Event) => this.#toggled(event)}>
      <summary>${this.#called}${this.#key()} <small class="muted">${this.help}</small></summary>
      ${
        this.#sections === undefined
          ? nothing
          : html`<div class="inner">${this.#fields(this.#sections.shown, now)} ${this.#more(this.#sections.more, now)}</div>`
      }
    </details>`;
  }

  #more(more: readonly NamedAttribute[], now: FieldPatch): TemplateResult | typeof nothing {
    return more.length === 0
      ? nothing
      : html`<details>
          <summary>${words.more(more.length)}</summary>
          <div class="inner">${this.#fields(more, now)}</div>
        </details>`;
  }

  #fields(fields: readonly NamedAttribute[], now: FieldPatch): unknown {
    return repeat(
      fields,
      ([key]) => key,
      ([key, attribute]) => html`<stoa-field
        .name=${key}
        .called=${wordsOf(this.schema, key)?.name ?? ""}
        .attribute=${attribute}
        .help=${meaningOf(this.schema, key)}
        .value=${now[key]}
        @stoa-patch=${(event: CustomEvent<FieldPatch>) => this.#nested(event)}
      ></stoa-field>`,
    );
  }

  /** Notes whether the group is open. Ignores `toggle` events of nested groups. */
  #toggled({ target, currentTarget }: Event): void {
    if (target === currentTarget && target instanceof HTMLDetailsElement) this.isOpen = target.open;
  }

  #nested(event: CustomEvent<FieldPatch>): void {
    event.stopPropagation();
    this.#tell(event.detail);
  }

  /** Arrow keys change an integer by 1 and any other number by 0.1. */
  #step(event: KeyboardEvent, field: FormFieldKind): void {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    const now = Number(typedIn(event) || this.attribute?.default || 0);
    if (!Number.isFinite(now)) return;
    event.preventDefault();
    const size = field.kind === "number" && field.whole ? 1 : 0.1;
    const next = now + (event.key === "ArrowUp" ? size : -size);
    this.#take(field, String(Math.round(next * 1_000) / 1_000));
  }

  #take(field: FormFieldKind, text: string): void {
    const typed = typedValue(field, text);
    if ("wrong" in typed) {
      this.wrong = typed.wrong;
      return;
    }
    this.wrong = "";
    this.#tell(typed.value);
  }

  /** Emits the value of all axes with one changed. An emptied field changes nothing; it doesn't mean 0. */
  #takeAxis(axis: string, event: Event): void {
    const now = bagOf(this.value ?? this.attribute?.default);
    const typed = typedValue({ kind: "number", whole: false }, typedIn(event));
    this.wrong = "wrong" in typed ? typed.wrong : "";
    if (!("value" in typed)) return;
    if (typed.value === null) showAgain(event, shownAxis(now[axis]));
    else this.#tell({ ...now, [axis]: typed.value });
  }

  #tell(value: unknown): void {
    this.wrong = "";
    const detail: FieldPatch = { [this.name]: value };
    this.dispatchEvent(new CustomEvent<FieldPatch>("stoa-patch", { detail, bubbles: true, composed: true }));
  }
}

function placeholderOf(attribute: Attribute | undefined): string {
  const fallback = attribute?.default;
  return fallback === undefined || typeof fallback === "object" ? "" : String(fallback);
}

function shownAxis(value: unknown): string {
  return value === undefined ? "" : String(value);
}

function bagOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function sixDigits(color: string): string {
  const long = color.replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");
  return /^#[0-9a-fA-F]{6}$/.test(long) ? long.toLowerCase() : "#ffffff";
}
