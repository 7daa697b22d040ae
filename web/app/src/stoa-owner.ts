import { type Api, ApiError, wordsOf } from "@stoa/client";
import { html, LitElement, nothing } from "lit";
import { brand } from "./brand.ts";
import { textOf } from "./form.ts";
import { ACCOUNT_NAME_BYTES_MAX, PASSWORD_BYTES_MIN } from "./limits.ts";
import { column, look } from "./look.ts";

const USED = "This link was used: the realm has an owner. Sign in on the first page if that is you.";
const VOID = "This link is wrong, expired or used. While the realm has no owner, each start of it prints a new one.";

/** Redeems the owner link: the realm's first account. */
export class StoaOwner extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    secret: { attribute: false },
    wrong: { state: true },
    busy: { state: true },
    done: { state: true },
    voided: { state: true },
  };
  static override readonly styles = [look, column];
  declare api: Api | undefined;
  declare secret: string;
  declare wrong: string;
  declare busy: boolean;
  declare done: string;
  /** Why the link is of no use, or empty. */
  declare voided: string;

  constructor() {
    super();
    this.secret = "";
    this.wrong = "";
    this.busy = false;
    this.done = "";
    this.voided = "";
  }

  override firstUpdated(): void {
    void this.#look();
  }

  override render() {
    return html`<main>
      <header>${brand()}</header>
      <section class="card" aria-labelledby="title">
        <h1 id="title">${this.done === "" ? "Become the owner of this realm" : "Welcome"}</h1>
        ${this.#body()}
      </section>
    </main>`;
  }

  #body() {
    if (this.done !== "") {
      return html`<p role="status">This realm is yours, ${this.done}.</p>
        <p><a class="button primary" href="/">See its scenes</a></p>`;
    }
    if (this.secret === "") {
      return html`<p>
        This page needs the whole link that the realm printed when it started, with everything after the <code>#</code>. Starting the realm
        again prints a new one.
      </p>`;
    }
    if (this.voided !== "")
      return html`<p role="alert">${this.voided}</p>
        <p><a class="button" href="/">See its scenes</a></p>`;
    return html`<p class="muted">Choose the name and password of the first account. It may do everything here.</p>
      <form @submit=${(event: SubmitEvent) => this.#redeem(event)}>
        <label
          >Account name<input
            name="username"
            autocomplete="username"
            required
            pattern="[A-Za-z0-9_.\\-]+"
            maxlength=${ACCOUNT_NAME_BYTES_MAX}
            title="Letters, digits, dot, dash and underscore"
        /></label>
        <label
          >Password, at least ${PASSWORD_BYTES_MIN} characters<input
            name="password"
            type="password"
            autocomplete="new-password"
            required
            minlength=${PASSWORD_BYTES_MIN}
        /></label>
        <label>The password again<input name="again" type="password" autocomplete="new-password" required /></label>
        <p class="wrong" role="alert">${this.wrong === "" ? nothing : this.wrong}</p>
        <div><button class="primary" ?disabled=${this.busy}>Become the owner</button></div>
      </form>`;
  }

  /** A link works once: better said before somebody has filled in the form. */
  async #look(): Promise<void> {
    try {
      const account = await this.api?.me();
      if (account?.ownerExists === true && this.done === "") this.voided = USED;
    } catch {
      // The realm is away: redeeming will say so.
    }
  }

  async #redeem(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const [name, password] = [textOf(event.target, "username"), textOf(event.target, "password")];
    if (this.api === undefined) return;
    if (password !== textOf(event.target, "again")) {
      this.wrong = "The two passwords differ.";
      return;
    }
    this.busy = true;
    this.wrong = "";
    try {
      const account = await this.api.redeemOwner(this.secret, name, password);
      this.done = account.username ?? name;
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) this.voided = VOID;
      else this.wrong = wordsOf(error);
    }
    this.busy = false;
  }
}
