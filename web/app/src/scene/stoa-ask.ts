import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";

/** A text that an object asks for: the request of `@stoa/aframe`, worded by the object's author. */
export interface Question {
  readonly title: string;
  readonly label: string;
  readonly placeholder: string;
  readonly inputType: string;
  readonly inputValue: string;
  readonly inputOptions: readonly string[];
}

/** The open question with its answer callback. */
type OpenQuestion =
  | { readonly kind: "text"; readonly question: Question; readonly answer: (text: string | null) => void }
  | { readonly kind: "leave"; readonly address: string; readonly answer: (text: string | null) => void };

/** Longest answer in characters, the limit of ARENA's programs. */
const ANSWER_LENGTH_MAX = 140;
/** Kinds of fields that are valid values of an `input`'s type. */
const INPUTS = /^(email|password|number|tel|range|url|date|datetime-local|time|week|month)$/;

/** A dialog over the scene that asks for a text, or for consent to open a link. */
export class StoaQuestionDialog extends LitElement {
  static override readonly properties = { asked: { state: true } };
  static override readonly styles = [
    sharedStyles,
    css`
      dialog {
        width: min(26rem, calc(100% - 2rem));
        max-height: calc(100% - 2rem);
        overflow: auto;
        padding: var(--space-4);
        color: var(--ink);
        background: var(--panel);
        border: 1px solid var(--line);
        border-radius: var(--radius);
        box-shadow: var(--shadow);
      }
      dialog::backdrop {
        background: rgb(0 0 0 / 45%);
      }
      h2,
      .address {
        overflow-wrap: anywhere;
      }
      .actions {
        display: flex;
        justify-content: flex-end;
        gap: var(--space-2);
      }
      fieldset {
        display: grid;
        gap: var(--space-2);
        margin: 0;
        padding: 0;
        border: 0;
      }
    `,
  ];
  declare asked: OpenQuestion | null;

  constructor() {
    super();
    this.asked = null;
  }

  /** Asks for a text; `null` if the user gives none. A new question cancels an open one. */
  ask(question: Question): Promise<string | null> {
    return this.#open((answer) => ({ kind: "text", question, answer }));
  }

  /** Asks whether to open an address outside of the server's scenes and files. */
  async mayLeave(address: string): Promise<boolean> {
    return (await this.#open((answer) => ({ kind: "leave", address, answer }))) !== null;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#answer(null);
  }

  override render(): TemplateResult | typeof nothing {
    const { asked } = this;
    if (asked === null) return nothing;
    return html`<dialog
      aria-labelledby="title"
      @close=${() => this.#answer(null)}
      @keydown=${(event: KeyboardEvent) => event.stopPropagation()}
      @keyup=${(event: KeyboardEvent) => event.stopPropagation()}
    >
      <form @submit=${(event: SubmitEvent) => this.#send(event)}>
        ${asked.kind === "text" ? question(asked.question) : leaving(asked.address)}
        <div class="actions">
          <button type="button" @click=${() => this.#answer(null)}>${texts.ask.cancel}</button>
          <button class="primary">${asked.kind === "text" ? texts.ask.send : texts.ask.leave}</button>
        </div>
      </form>
    </dialog>`;
  }

  override updated(): void {
    const dialog = this.renderRoot.querySelector("dialog");
    if (dialog !== null && !dialog.open) dialog.showModal();
  }

  #open(make: (answer: (text: string | null) => void) => OpenQuestion): Promise<string | null> {
    this.#answer(null);
    return new Promise((resolve) => {
      this.asked = make(resolve);
    });
  }

  #send(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target instanceof HTMLFormElement ? new FormData(event.target) : new FormData();
    const value = form.get("answer");
    this.#answer(typeof value === "string" ? value : "");
  }

  #answer(text: string | null): void {
    const { asked } = this;
    this.asked = null;
    asked?.answer(text);
  }
}

function leaving(address: string): TemplateResult {
  const { title, leads } = new URL(address).origin === location.origin ? texts.ask.otherPage : texts.ask.otherSite;
  return html`<h2 id="title">${title}</h2>
    <p>${leads}</p>
    <p class="address"><strong>${address}</strong></p>`;
}

function question(asked: Question): TemplateResult {
  const title = asked.title === "" ? texts.ask.title : asked.title;
  const label = asked.label === "" ? texts.ask.answer : asked.label;
  return html`<h2 id="title">${title}</h2>${field(asked, label)}`;
}

function field({ inputType, inputValue, inputOptions, placeholder }: Question, label: string): TemplateResult {
  switch (inputType) {
    case "textarea":
      return html`<label
        >${label}<textarea name="answer" rows="4" maxlength=${ANSWER_LENGTH_MAX} placeholder=${placeholder} .value=${inputValue}></textarea>
      </label>`;
    case "select":
      return html`<label
        >${label}<select name="answer">
          ${inputOptions.map((option) => html`<option ?selected=${option === inputValue}>${option}</option>`)}
        </select></label
      >`;
    case "radio":
      return html`<fieldset>
        <legend>${label}</legend>
        ${inputOptions.map(
          (option) =>
            html`<label class="row"><input type="radio" name="answer" value=${option} ?checked=${option === inputValue} />${option}</label>`,
        )}
      </fieldset>`;
    case "checkbox":
      return html`<label class="row"
        ><input type="checkbox" name="answer" value="1" ?checked=${inputValue === "1" || inputValue === "true"} />${placeholder === "" ? label : placeholder}</label
      >`;
    default:
      return html`<label
        >${label}<input
          name="answer"
          type=${INPUTS.test(inputType) ? inputType : "text"}
          step=${inputType === "number" ? "any" : nothing}
          maxlength=${ANSWER_LENGTH_MAX}
          placeholder=${placeholder}
          autocomplete="off"
          autofocus
          .value=${inputValue}
      /></label>`;
  }
}
