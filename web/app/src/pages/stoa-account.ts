import { type Account, type Api, ApiError, type Belongings } from "@stoa/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { brand } from "../controls/brand.ts";
import { textOf } from "../controls/form-fields.ts";
import type { AccountLinkInAddress } from "../routing/route.ts";
import { column, sharedStyles } from "../styles/shared.ts";
import { errorText } from "../texts/error-texts.ts";
import { moment, texts } from "../texts/texts.ts";
import { newPasswordFields } from "./stoa-sign-up.ts";

/**
 * The account page: sign-in, creation or password reset by a link, password change, files, deletion; for owners of the
 * realm also links for other accounts.
 */
export class StoaAccountPage extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    link: { attribute: false },
    account: { state: true },
    belongings: { state: true },
    unread: { state: true },
    names: { state: true },
    made: { state: true },
    wrong: { state: true },
    result: { state: true },
    voided: { state: true },
    busy: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    column,
    css`
      main {
        max-width: 34rem;
      }
      .row {
        display: flex;
        flex-wrap: wrap;
        align-items: end;
        gap: var(--space-2);
      }
      label.row {
        align-items: center;
      }
      ul {
        margin: 0;
        padding-left: var(--space-4);
      }
    `,
  ];
  declare api: Api | undefined;
  /** The link in the address, to be redeemed now. */
  declare link: AccountLinkInAddress | undefined;
  declare account: Account | undefined;
  /** The scenes that would be deleted with the account, and its files; `undefined` until read. */
  declare belongings: Belongings | undefined;
  /** Why the belongings could not be read; empty if they could. */
  declare unread: string;
  /** All account names, for owners of the realm. */
  declare names: readonly string[];
  declare made: string;
  /** The error text, and the form that shows it. */
  declare wrong: { readonly form: string; readonly words: string } | undefined;
  declare result: string;
  declare voided: boolean;
  declare busy: boolean;

  constructor() {
    super();
    this.unread = "";
    this.names = [];
    this.made = "";
    this.result = "";
    this.voided = false;
    this.busy = false;
  }

  override firstUpdated(): void {
    void this.#load();
  }

  override render() {
    return html`<main>
      <header>${brand()}</header>
      <h1>${this.#title}</h1>
      <p class="told" role="status">${this.result === "" ? nothing : this.result}</p>
      ${this.#body()}
    </main>`;
  }

  /** The heading: the purpose of a link, else the account. */
  get #title(): string {
    if (this.voided) return texts.account.title;
    if (this.link?.kind === "reset") return texts.account.setNewPassword;
    return this.#joins ? texts.join.title : texts.account.title;
  }

  /** Whether the link in the address creates an account. */
  get #joins(): boolean {
    return this.link?.kind === "join" && this.account?.username === null;
  }

  #body(): TemplateResult | TemplateResult[] {
    const { link, account } = this;
    if (this.voided) return card("void", texts.account.voided, html`<p>${texts.account.voidedText}</p>`);
    if (link?.kind === "reset") return this.#reset(link.secret);
    if (link?.kind === "join" && this.#joins) return this.#join(link.secret);
    if (account === undefined) return html`<p class="muted">${this.wrong?.words ?? texts.home.looking}</p>`;
    const door = html`<stoa-sign-in
      .api=${this.api}
      .account=${account}
      @stoa-account=${(event: CustomEvent<Account>) => this.#changed(event.detail)}
    ></stoa-sign-in>`;
    if (account.username === null) return card("in", texts.shared.signIn, door);
    return [
      card("in", texts.account.you, door),
      card(
        "files",
        texts.account.files,
        html`<p class="muted">${texts.account.filesText}</p>
          <div><a class="button" href="/storemng/files/">${texts.account.seeFiles}</a></div>`,
      ),
      this.#password(),
      ...(account.owner ? [this.#links()] : []),
      this.#deletion(),
    ];
  }

  #join(secret: string): TemplateResult {
    const form = html`<stoa-sign-up
      .api=${this.api}
      .warrant=${{ link: secret }}
      @stoa-account=${(event: CustomEvent<Account>) => {
        this.link = undefined;
        this.result = texts.account.welcome(event.detail.username ?? "");
        this.#changed(event.detail);
      }}
    ></stoa-sign-up>`;
    return html`<section class="card">${form}</section>`;
  }

  #reset(secret: string): TemplateResult {
    const form = html`<form @submit=${(event: SubmitEvent) => this.#setNew(event, secret)}>
      ${newPasswordFields(texts.account.newPasswordRule)} ${this.#alert("reset")}
      <div><button class="primary" ?disabled=${this.busy}>${texts.account.setPassword}</button></div>
    </form>`;
    return html`<section class="card">${form}</section>`;
  }

  #password(): TemplateResult {
    const form = html`<form @submit=${(event: SubmitEvent) => this.#change(event)}>
      <label>${texts.account.oldPassword}<input name="old" type="password" autocomplete="current-password" required /></label>
      ${newPasswordFields(texts.account.newPasswordRule)} ${this.#alert("password")}
      <p class="muted">${texts.account.endsOthers}</p>
      <div><button ?disabled=${this.busy}>${texts.account.changePassword}</button></div>
    </form>`;
    return card("password", texts.account.changePassword, form);
  }

  /** Links for accounts, for owners of the realm. The realm sends no mail, so an owner passes the links on. */
  #links(): TemplateResult {
    const body = html`<p class="muted">${texts.account.linksText}</p>
      <form class="row" @submit=${(event: SubmitEvent) => this.#makeLink(event)}>
        <label
          >${texts.account.linkFor}<select name="for">
            <option value="">${texts.account.somebodyNew}</option>
            ${this.names.map((name) => html`<option value=${name}>${texts.account.passwordOf(name)}</option>`)}
          </select></label
        >
        <button ?disabled=${this.busy}>${texts.account.makeLink}</button>
      </form>
      ${this.made === "" ? nothing : html`<label>${texts.account.freshLink}<input name="link" readonly .value=${this.made} /></label>`}
      ${this.#alert("links")}`;
    return card("links", texts.account.links, body);
  }

  /** The account can be deleted only after the page has listed the data that goes with it. */
  #deletion(): TemplateResult {
    const { belongings, unread } = this;
    if (belongings === undefined) {
      const why = unread === "" ? html`<p class="muted">${texts.home.looking}</p>` : warning(unread);
      return card("delete", texts.account.delete, why);
    }
    if (belongings.isLastOwner) return card("delete", texts.account.delete, html`<p>${texts.account.lastOwner}</p>`);
    const goes = html`<p>${texts.account.deleteText}</p>
      ${
        belongings.scenes.length === 0
          ? html`<p>${texts.account.noScenes}</p>`
          : html`<p>${texts.account.scenesGo}</p>
              <ul>
                ${belongings.scenes.map((scene) => html`<li>${scene}</li>`)}
              </ul>`
      }
      ${belongings.files === 0 ? nothing : html`<p>${texts.account.filesStay(belongings.files)}</p>`}`;
    const form = html`<form @submit=${(event: SubmitEvent) => this.#delete(event)}>
      <label>${texts.shared.password}<input name="password" type="password" autocomplete="current-password" required /></label>
      <label class="row"><input name="sure" type="checkbox" required />${texts.account.understood}</label>
      ${this.#alert("delete")}
      <div><button class="danger" ?disabled=${this.busy}>${texts.account.delete}</button></div>
    </form>`;
    return card("delete", texts.account.delete, html`${goes} ${form}`);
  }

  #alert(form: string): TemplateResult {
    return warning(this.wrong?.form === form ? this.wrong.words : nothing);
  }

  async #load(): Promise<void> {
    try {
      this.account = await this.api?.me();
      await this.#more();
    } catch (error) {
      this.wrong = { form: "", words: errorText(error) };
    }
  }

  async #more(): Promise<void> {
    const { api, account } = this;
    if (api === undefined || (account?.username ?? null) === null) return;
    try {
      this.belongings = await api.doors.belongings();
    } catch (error) {
      this.unread = errorText(error);
    }
    if (account?.owner === true) this.names = await api.doors.accounts();
  }

  #changed(account: Account): void {
    this.account = account;
    this.belongings = undefined;
    this.unread = "";
    this.#more().catch(() => undefined);
  }

  async #do(form: string, request: (api: Api) => Promise<void>): Promise<void> {
    const { api } = this;
    if (api === undefined) return;
    this.busy = true;
    this.wrong = undefined;
    this.result = "";
    try {
      await request(api);
    } catch (error) {
      if (error instanceof ApiError && error.status === 410) this.voided = true;
      else this.wrong = { form, words: isWrongPassword(form, error) ? texts.account.wrongPassword : errorText(error) };
    }
    this.busy = false;
  }

  async #setNew(event: SubmitEvent, secret: string): Promise<void> {
    const password = this.#typed(event, "reset");
    if (password === undefined) return;
    await this.#do("reset", async (api) => {
      await api.doors.resetPassword(secret, password);
      this.link = undefined;
      this.result = texts.account.changed;
      this.#changed(await api.me());
    });
  }

  async #change(event: SubmitEvent): Promise<void> {
    const [form, old, password] = [event.target, textOf(event.target, "old"), this.#typed(event, "password")];
    if (password === undefined) return;
    await this.#do("password", async (api) => {
      await api.doors.changePassword(old, password);
      this.result = texts.account.changed;
      if (form instanceof HTMLFormElement) form.reset();
    });
  }

  /** The new password; `undefined` if the two fields differ. */
  #typed(event: SubmitEvent, form: string): string | undefined {
    event.preventDefault();
    const password = textOf(event.target, "password");
    if (password === textOf(event.target, "again")) return password;
    this.wrong = { form, words: texts.owner.differ };
    return undefined;
  }

  async #makeLink(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const name = textOf(event.target, "for");
    await this.#do("links", async (api) => {
      const { secret, endsAt } = await api.doors.accountLink(name === "" ? undefined : name);
      this.made = `${location.origin}/account#${name === "" ? "join" : "reset"}=${secret}`;
      this.result = texts.account.linkMade(moment(new Date(endsAt * 1_000)));
    });
  }

  async #delete(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const password = textOf(event.target, "password");
    await this.#do("delete", async (api) => {
      await api.doors.deleteAccount(password);
      this.result = texts.account.deleted;
      this.#changed(await api.me());
    });
  }
}

/** Status 401 means a wrong password only in forms that ask for one; elsewhere the login has expired. */
function isWrongPassword(form: string, error: unknown): boolean {
  return (form === "password" || form === "delete") && error instanceof ApiError && error.status === 401;
}

function warning(words: string | typeof nothing): TemplateResult {
  return html`<p class="wrong" role="alert">${words}</p>`;
}

function card(id: string, title: string, body: TemplateResult): TemplateResult {
  return html`<section class="card" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${body}
  </section>`;
}
