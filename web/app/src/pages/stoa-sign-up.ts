import type { Account, Api, Warrant } from "@stoa/client";
import { html, LitElement, nothing } from "lit";
import { nameField, wrongWithName } from "../controls/account-name-field.ts";
import { textOf } from "../controls/form-fields.ts";
import { PASSWORD_BYTES_MIN } from "../limits.ts";
import { sharedStyles } from "../styles/shared.ts";
import { errorText } from "../texts/error-texts.ts";
import { texts } from "../texts/texts.ts";

/** Creates an account and signs in. Emits `stoa-account` with the new {@link Account}. */
export class StoaSignUpForm extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    warrant: { attribute: false },
    wrong: { state: true },
    wrongName: { state: true },
    busy: { state: true },
  };
  static override readonly styles = [sharedStyles];
  declare api: Api | undefined;
  /** The permission to create an account; an empty object if everyone may. */
  declare warrant: Warrant;
  declare wrong: string;
  declare wrongName: string;
  declare busy: boolean;

  constructor() {
    super();
    this.warrant = {};
    this.wrong = "";
    this.wrongName = "";
    this.busy = false;
  }

  override render() {
    return html`<form @submit=${(event: SubmitEvent) => this.#join(event)}>
      ${nameField(this.wrongName)} ${newPasswordFields()}
      <p class="wrong" role="alert">${this.wrong === "" ? nothing : this.wrong}</p>
      <div><button class="primary" ?disabled=${this.busy}>${texts.join.make}</button></div>
    </form>`;
  }

  async #join(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { api } = this;
    const [name, password] = [textOf(event.target, "username").trim(), textOf(event.target, "password")];
    if (api === undefined) return;
    this.wrongName = wrongWithName(name);
    this.wrong = password === textOf(event.target, "again") ? "" : texts.owner.differ;
    if (this.wrong !== "" || this.wrongName !== "") return;
    this.busy = true;
    try {
      await api.doors.join(name, password, this.warrant);
      const detail = await api.me();
      this.dispatchEvent(new CustomEvent<Account>("stoa-account", { detail, bubbles: true, composed: true }));
    } catch (error) {
      this.wrong = errorText(error);
    }
    this.busy = false;
  }
}

/** The fields for a new password and its confirmation. */
export function newPasswordFields(label = texts.owner.passwordRule) {
  return html`<label
      >${label}<input
        name="password"
        type="password"
        autocomplete="new-password"
        required
        minlength=${PASSWORD_BYTES_MIN}
    /></label>
    <label>${texts.owner.again}<input name="again" type="password" autocomplete="new-password" required /></label>`;
}
