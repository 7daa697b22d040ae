import { type Account, type Api, ApiError, wordsOf } from "@stoa/client";
import { css, html, LitElement, nothing } from "lit";
import { textOf } from "./form.ts";
import { look } from "./look.ts";

/** Signs in or out. Emits `stoa-account` with the new {@link Account}. */
export class StoaSignIn extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    account: { attribute: false },
    wrong: { state: true },
    busy: { state: true },
  };
  static override readonly styles = [
    look,
    css`
      .out {
        display: flex;
        flex-wrap: wrap;
        gap: 0.75rem;
        align-items: center;
        justify-content: space-between;
      }
    `,
  ];
  declare api: Api | undefined;
  declare account: Account | undefined;
  declare wrong: string;
  declare busy: boolean;

  constructor() {
    super();
    this.wrong = "";
    this.busy = false;
  }

  override render() {
    const name = this.account?.username ?? null;
    if (name !== null) {
      const role = this.account?.owner === true ? ", owner of this realm" : "";
      return html`<div class="out">
        <span>Signed in as <strong>${name}</strong>${role}</span>
        <button type="button" ?disabled=${this.busy} @click=${() => this.#signOut()}>Sign out</button>
      </div>`;
    }
    return html`<form @submit=${(event: SubmitEvent) => this.#signIn(event)}>
      <label>Account name<input name="username" autocomplete="username" required /></label>
      <label>Password<input name="password" type="password" autocomplete="current-password" required /></label>
      <p class="wrong" role="alert">${this.wrong === "" ? nothing : this.wrong}</p>
      <div><button class="primary" ?disabled=${this.busy}>Sign in</button></div>
    </form>`;
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
      const unknown = error instanceof ApiError && error.status === 401;
      this.wrong = unknown ? "That name and password do not go together." : wordsOf(error);
    }
    this.busy = false;
  }
}
