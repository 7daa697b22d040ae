import { type Account, type Api, ApiError } from "@stoa/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { textOf } from "../controls/form-fields.ts";
import { sharedStyles } from "../styles/shared.ts";
import { errorText } from "../texts/error-texts.ts";
import { texts } from "../texts/texts.ts";

/** Signs in or out. Emits `stoa-account` with the new {@link Account}. */
export class StoaSignInForm extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    account: { attribute: false },
    invite: { attribute: false },
    wrong: { state: true },
    busy: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
        gap: var(--space-3);
      }
      details > stoa-sign-up {
        display: block;
        margin-top: var(--space-3);
      }
      .out {
        display: flex;
        flex-wrap: wrap;
        gap: var(--space-3);
        align-items: center;
        justify-content: space-between;
      }
    `,
  ];
  declare api: Api | undefined;
  declare account: Account | undefined;
  /** An invitation that allows creating an account; empty for none. */
  declare invite: string;
  declare wrong: string;
  declare busy: boolean;

  constructor() {
    super();
    this.invite = "";
    this.wrong = "";
    this.busy = false;
  }

  override render() {
    const name = this.account?.username ?? null;
    if (name !== null) {
      const role = this.account?.owner === true ? texts.signIn.realmOwner : "";
      return html`<div class="out">
        <span>${texts.signIn.signedInAs} <a href="/account"><strong>${name}</strong></a>${role}</span>
        <button type="button" ?disabled=${this.busy} @click=${() => this.#signOut()}>${texts.signIn.signOut}</button>
      </div>
      ${this.#alert()}`;
    }
    return html`<form @submit=${(event: SubmitEvent) => this.#signIn(event)}>
      <label>${texts.shared.accountName}<input name="username" autocomplete="username" required /></label>
      <label>${texts.shared.password}<input name="password" type="password" autocomplete="current-password" required /></label>
      ${this.#alert()}
      <div><button class="primary" ?disabled=${this.busy}>${texts.shared.signIn}</button></div>
      </form>
      ${this.#signUp()}`;
  }

  #alert(): TemplateResult {
    return html`<p class="wrong" role="alert">${this.wrong === "" ? nothing : this.wrong}</p>`;
  }

  /** The sign-up form, if the realm lets everyone or invited people create accounts. */
  #signUp(): TemplateResult {
    const mode = this.account?.accounts ?? "closed";
    if (!canSignUp(this.account, this.invite)) return html`<p class="muted">${texts.signIn.forgotten[mode]}</p>`;
    const warrant = this.invite === "" ? {} : { invitation: this.invite };
    return html`<details>
        <summary>${texts.join.title}</summary>
        <stoa-sign-up .api=${this.api} .warrant=${warrant}></stoa-sign-up>
      </details>
      <p class="muted">${texts.signIn.forgotten.open}</p>`;
  }

  async #signIn(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target;
    await this.#change((api) => api.login(textOf(form, "username"), textOf(form, "password")));
  }

  async #signOut(): Promise<void> {
    await this.#change(async (api) => {
      await api.logout();
      return await api.me();
    });
  }

  async #change(request: (api: Api) => Promise<Account>): Promise<void> {
    if (this.api === undefined) return;
    this.busy = true;
    this.wrong = "";
    try {
      this.account = await request(this.api);
      this.dispatchEvent(
        new CustomEvent<Account>("stoa-account", { detail: this.account, bubbles: true, composed: true }),
      );
    } catch (error) {
      const isIn = (this.account?.username ?? null) !== null;
      const unknown = !isIn && error instanceof ApiError && error.status === 401;
      this.wrong = unknown ? texts.signIn.wrong : errorText(error);
    }
    this.busy = false;
  }
}

/** Whether the realm lets this user create an account: everyone may, or invited people. */
export function canSignUp(account: Account | undefined, invite: string): boolean {
  const mode = account?.accounts ?? "closed";
  return mode === "open" || (mode === "invited" && invite !== "");
}
