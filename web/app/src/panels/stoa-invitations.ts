import type { Api, Invitation } from "@stoa/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { textOf } from "../controls/form-fields.ts";
import { SecondPressConfirmation } from "../controls/second-press.ts";
import { INVITATION_LASTS_S, INVITATION_USES } from "../limits.ts";
import { sharedStyles } from "../styles/shared.ts";
import { errorText } from "../texts/error-texts.ts";
import { moment, texts } from "../texts/texts.ts";

/** A scene's invitations: create, copy, revoke. For its owner. */
export class StoaInvitationsPanel extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    scene: {},
    base: {},
    invitations: { state: true },
    made: { state: true },
    result: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
        gap: var(--space-2);
      }
      form {
        grid-template-columns: repeat(2, minmax(0, 1fr));
        gap: var(--space-2);
      }
      form > :first-child {
        grid-column: 1 / -1;
      }
      form > div {
        grid-column: 1 / -1;
      }
    `,
  ];
  declare api: Api | undefined;
  declare scene: string;
  /** The origin of invitation links: the realm's for other devices if known, else this page's. */
  declare base: string;
  declare invitations: readonly Invitation[] | undefined;
  /** The link that was created last: the realm shows it only once. */
  declare made: string;
  declare result: string;
  readonly #takingBack = new SecondPressConfirmation(this);

  constructor() {
    super();
    this.scene = "";
    this.base = "";
    this.made = "";
    this.result = "";
  }

  override firstUpdated(): void {
    this.#do(async () => undefined);
  }

  override render() {
    return html`<h3>${texts.invitations.title}</h3>
      <form @submit=${(event: SubmitEvent) => this.#make(event)}>
        <label
          >${texts.invitations.role}<select name="role">
            <option value="viewer">${texts.invitations.choices.viewer}</option>
            <option value="editor">${texts.invitations.choices.editor}</option>
          </select></label
        >
        <label
          >${texts.invitations.lasts}<select name="lasts">
            ${INVITATION_LASTS_S.map((seconds, at) => html`<option value=${seconds} ?selected=${at === 1}>${texts.invitations.during(seconds)}</option>`)}
          </select></label
        >
        <label
          >${texts.invitations.forWhom}<select name="uses">
            ${INVITATION_USES.map((uses) => html`<option value=${uses}>${texts.invitations.uses(uses)}</option>`)}
          </select></label
        >
        <div><button>${texts.invitations.make}</button></div>
      </form>
      ${this.made === "" ? nothing : this.#fresh()}
      <p class="told" role="status">${this.result === "" ? nothing : this.result}</p>
      ${this.#list()}`;
  }

  #fresh(): TemplateResult {
    return html`<div class="pair">
      <label>${texts.invitations.fresh}<input name="invitation" readonly .value=${this.made} /></label>
      <button type="button" name="copy" class="primary" @click=${() => this.#copy()}>${texts.share.copy}</button>
    </div>`;
  }

  #list(): TemplateResult | typeof nothing {
    const { invitations } = this;
    if (invitations === undefined || invitations.length === 0) return nothing;
    return html`<ul class="list" aria-label=${texts.invitations.title}>
      ${invitations.map((invitation) => {
        const { id, role, endsAt, uses, usesMax } = invitation;
        const about = `${texts.invitations.choices[role === "editor" ? "editor" : "viewer"]} · ${texts.invitations.used(uses, usesMax)}`;
        const until = texts.invitations.until(moment(new Date(endsAt * 1_000)));
        return html`<li class="entry">
          <span>${about}<br /><span class="muted">${until}</span></span>
          <button
            type="button"
            class="danger"
            @click=${(event: UIEvent) => this.#takeBack(id, event)}
            @blur=${() => this.#takingBack.leave()}
          >
            <span>${this.#takingBack.isAsked(id) ? texts.invitations.reallyTakeBack : texts.invitations.takeBack}<span class="hidden">: ${about} · ${until}</span></span>
          </button>
        </li>`;
      })}
    </ul>`;
  }

  #make(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target;
    const [lasts, uses] = [Number(textOf(form, "lasts")), Number(textOf(form, "uses"))];
    const role = textOf(form, "role") === "editor" ? "editor" : "viewer";
    this.#do(async (api) => {
      const { secret } = await api.doors.invite(this.scene, { role, lastsS: lasts, usesMax: uses > 0 ? uses : null });
      this.made = `${this.base}/${this.scene}#invite=${secret ?? ""}`;
      this.result = texts.invitations.once;
      await this.updateComplete;
      // The next step is copying the link, so its button gets the focus.
      this.renderRoot.querySelector<HTMLElement>("[name=copy]")?.focus();
    });
  }

  #takeBack(id: string, event: UIEvent): void {
    if (!this.#takingBack.press(id, event)) return;
    this.#do(async (api) => {
      await api.doors.takeBack(this.scene, id);
      this.made = "";
      this.result = texts.invitations.takenBack;
    });
  }

  /** Sends a request, then reloads the list. */
  #do(request: (api: Api) => Promise<void>): void {
    const { api } = this;
    if (api === undefined) return;
    const done = request(api).then(() => api.doors.invitations(this.scene));
    done.then(
      (invitations) => {
        this.invitations = invitations;
      },
      (error: unknown) => {
        this.result = errorText(error);
      },
    );
  }

  #copy(): void {
    const { clipboard } = navigator;
    const choose = () => {
      this.renderRoot.querySelector<HTMLInputElement>("input[name=invitation]")?.select();
      this.result = texts.share.pressToCopy;
    };
    if (clipboard === undefined) {
      choose();
      return;
    }
    clipboard.writeText(this.made).then(() => {
      this.result = texts.share.copied;
    }, choose);
  }
}
