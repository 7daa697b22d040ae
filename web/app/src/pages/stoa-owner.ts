import { type Api, ApiError } from "@stoa/client";
import { html, LitElement, nothing } from "lit";
import { nameField, wrongWithName } from "../controls/account-name-field.ts";
import { brand } from "../controls/brand.ts";
import { textOf } from "../controls/form-fields.ts";
import { column, sharedStyles } from "../styles/shared.ts";
import { errorText } from "../texts/error-texts.ts";
import { texts } from "../texts/texts.ts";
import { newPasswordFields } from "./stoa-sign-up.ts";

/** Redeems the owner link, which creates the realm's first account. */
export class StoaFirstAccountPage extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    secret: { attribute: false },
    wrong: { state: true },
    wrongName: { state: true },
    busy: { state: true },
    done: { state: true },
    voided: { state: true },
  };
  static override readonly styles = [sharedStyles, column];
  declare api: Api | undefined;
  declare secret: string;
  declare wrong: string;
  declare wrongName: string;
  declare busy: boolean;
  declare done: string;
  /** The reason why the link can't be used; empty if it can. */
  declare voided: string;

  constructor() {
    super();
    this.secret = "";
    this.wrong = "";
    this.wrongName = "";
    this.busy = false;
    this.done = "";
    this.voided = "";
  }

  override firstUpdated(): void {
    void this.#checkLink();
  }

  override render() {
    return html`<main>
      <header>${brand()}</header>
      <section class="card" aria-labelledby="title">
        <h1 id="title">${this.done === "" ? texts.owner.title : texts.owner.welcome}</h1>
        ${this.#body()}
      </section>
    </main>`;
  }

  #body() {
    if (this.done !== "") {
      return html`<p role="status">${texts.owner.yours(this.done)}</p>
        <p><a class="button primary" href="/">${texts.owner.seeScenes}</a></p>`;
    }
    if (this.secret === "") {
      return html`<p>${texts.owner.noSecret}</p>`;
    }
    if (this.voided !== "")
      return html`<p role="alert">${this.voided}</p>
        <p><a class="button" href="/">${texts.owner.seeScenes}</a></p>`;
    return html`<p class="muted">${texts.owner.intro}</p>
      <form @submit=${(event: SubmitEvent) => this.#redeem(event)}>
        ${nameField(this.wrongName)} ${newPasswordFields()}
        <p class="wrong" role="alert">${this.wrong === "" ? nothing : this.wrong}</p>
        <div><button class="primary" ?disabled=${this.busy}>${texts.owner.become}</button></div>
      </form>`;
  }

  /** Checks, before the user fills in the form, whether the realm has an owner: then the link is void. */
  async #checkLink(): Promise<void> {
    try {
      const account = await this.api?.me();
      if (account?.ownerExists === true && this.done === "") this.voided = texts.owner.used;
    } catch {
      // The realm is offline; redeeming reports that.
    }
  }

  async #redeem(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const [name, password] = [textOf(event.target, "username").trim(), textOf(event.target, "password")];
    if (this.api === undefined) return;
    this.wrongName = wrongWithName(name);
    if (this.wrongName !== "") return;
    if (password !== textOf(event.target, "again")) {
      this.wrong = texts.owner.differ;
      return;
    }
    this.busy = true;
    this.wrong = "";
    try {
      const account = await this.api.redeemOwner(this.secret, name, password);
      this.done = account.username ?? name;
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) this.voided = texts.owner.voided;
      else this.wrong = errorText(error);
    }
    this.busy = false;
  }
}
