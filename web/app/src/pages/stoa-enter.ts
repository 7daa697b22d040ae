import type { Account, Api } from "@stoa/client";
import { css, html, LitElement, nothing } from "lit";
import { brand } from "../controls/brand.ts";
import { textOf } from "../controls/form-fields.ts";
import { NAME_LENGTH_MAX } from "../limits.ts";
import { tidyName } from "../preferences/preferences.ts";
import { column, cover, sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";
import { canSignUp } from "./stoa-sign-in.ts";

/** Asks for the display name. Emits `stoa-named` with it. */
export class StoaNameForm extends LitElement {
  static override readonly properties = {
    scene: {},
    api: { attribute: false },
    account: { attribute: false },
    invite: { attribute: false },
  };
  static override readonly styles = [
    sharedStyles,
    column,
    cover,
    css`
      main {
        max-width: 28rem;
      }
      summary {
        cursor: pointer;
      }
      details[open] > summary {
        margin-bottom: var(--space-3);
      }
    `,
  ];
  declare scene: string;
  declare api: Api | undefined;
  declare account: Account | undefined;
  /** The invitation in the address; empty for none. */
  declare invite: string;

  constructor() {
    super();
    this.scene = "";
    this.invite = "";
  }

  override render() {
    return html`<main>
      <header>${brand()}</header>
      <section class="card" aria-labelledby="title">
        <h1 id="title">${texts.enter.title(this.scene)}</h1>
        ${this.invite === "" ? nothing : html`<p>${texts.enter.invited}</p>`}
        <form @submit=${(event: SubmitEvent) => this.#named(event)}>
          <label
            >${texts.shared.nameOthersSee}<input
              name="name"
              required
              autofocus
              autocomplete="nickname"
              maxlength=${NAME_LENGTH_MAX}
              placeholder=${texts.shared.nameExample}
          /></label>
          <div><button class="primary">${texts.enter.asGuest}</button></div>
        </form>
        <details>
          <summary>${canSignUp(this.account, this.invite) ? texts.enter.haveAccount : texts.shared.signIn}</summary>
          <stoa-sign-in .api=${this.api} .account=${this.account} .invite=${this.invite}></stoa-sign-in>
        </details>
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
