import { css, html, LitElement } from "lit";
import { brand } from "./brand.ts";
import { textOf } from "./form.ts";
import { NAME_LENGTH_MAX } from "./limits.ts";
import { column, look } from "./look.ts";
import { tidyName } from "./preferences.ts";

/** Asks for the name that others will see. Emits `stoa-named` with it. */
export class StoaEnter extends LitElement {
  static override readonly properties = { scene: {} };
  static override readonly styles = [
    look,
    column,
    css`
      :host {
        position: absolute;
        inset: 0;
        overflow: auto;
        background: var(--ground);
      }
      main {
        max-width: 28rem;
      }
    `,
  ];
  declare scene: string;

  constructor() {
    super();
    this.scene = "";
  }

  override render() {
    return html`<main>
      <header>${brand()}</header>
      <section class="card" aria-labelledby="title">
        <h1 id="title">Enter ${this.scene}</h1>
        <form @submit=${(event: SubmitEvent) => this.#named(event)}>
          <label
            >The name others see<input
              name="name"
              required
              autofocus
              autocomplete="nickname"
              maxlength=${NAME_LENGTH_MAX}
              placeholder="For example: Ada"
          /></label>
          <div><button class="primary">Enter as guest</button></div>
        </form>
        <p class="muted">You have an account? <a href="/">Sign in first</a>.</p>
      </section>
    </main>`;
  }

  override firstUpdated(): void {
    this.renderRoot.querySelector("input")?.focus();
  }

  #named(event: SubmitEvent): void {
    event.preventDefault();
    const name = tidyName(textOf(event.target, "name"));
    if (name !== "")
      this.dispatchEvent(new CustomEvent<string>("stoa-named", { detail: name, bubbles: true, composed: true }));
  }
}
