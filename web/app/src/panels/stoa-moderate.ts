import {
  type Api,
  type ListeningClient,
  type Moderation,
  type ModerationWish,
  type SceneSession,
  shownName,
} from "@stoa/client";
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { textOf } from "../controls/form-fields.ts";
import { BAN_LASTS_S, LISTENING_PERIOD_MS } from "../limits.ts";
import { sharedStyles } from "../styles/shared.ts";
import { errorText } from "../texts/error-texts.ts";
import { moment, texts } from "../texts/texts.ts";

/** A moderation action on a person. */
export type ModerationAction = "silence" | "kick" | "ban";

const DEEDS: readonly ModerationAction[] = ["silence", "kick", "ban"];

/** The subject of a moderation action: a person, or a client that only listens. */
type ModerationSubject = Pick<ListeningClient, "idTag" | "displayName">;

/** Whether this user may be a moderator, so that asking the realm makes sense. */
export function mayModerate({ me }: SceneSession): boolean {
  return me.role !== "viewer" && !me.guest;
}

/** One button per action. A press selects the action, which then needs confirmation. */
export function deedButtons(choose: (deed: ModerationAction) => void): readonly TemplateResult[] {
  return DEEDS.map(
    (deed) =>
      html`<button type="button" class="danger" @click=${() => choose(deed)}>${texts.moderate.deeds[deed].name}</button>`,
  );
}

/** The name of a restricted person, with a mark for a guest, or with the account if its name differs. */
function decidedName(shown: string, account: string | null): string {
  if (account === null) return texts.history.guest(shown);
  return account === shown ? shown : `${shown} (${account})`;
}

/** A moderator's controls: the scene's lock, current mutes and bans, and the confirmation of an action on a person. */
export class StoaModerationPanel extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    scene: {},
    person: { attribute: false },
    deed: { attribute: false },
    moderation: { state: true },
    result: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
        gap: var(--space-2);
      }
      form,
      section {
        display: grid;
        gap: var(--space-2);
      }
      form {
        padding: var(--space-3);
        border: 1px solid var(--line);
        border-radius: var(--radius);
      }
    `,
  ];
  declare api: Api | undefined;
  declare scene: string;
  /** The person of the pending action. */
  declare person: ModerationSubject | undefined;
  declare deed: ModerationAction | undefined;
  /** `undefined` until the realm confirms that this user moderates. */
  declare moderation: Moderation | undefined;
  declare result: string;
  #refreshes: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.scene = "";
    this.result = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // No message reports listening clients, so a moderator's list is reloaded every `LISTENING_PERIOD_MS`.
    this.#refreshes = setInterval(() => {
      if (this.moderation !== undefined) void this.#look();
    }, LISTENING_PERIOD_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#refreshes);
  }

  override firstUpdated(): void {
    void this.#look();
  }

  override updated(changed: PropertyValues): void {
    // The confirmation gets the focus, for keyboard users.
    if (changed.has("deed") && this.deed !== undefined)
      this.renderRoot.querySelector<HTMLElement>("form select, form button")?.focus();
  }

  override render() {
    const { moderation, person, deed } = this;
    if (moderation === undefined) return nothing;
    return html`${person === undefined || deed === undefined ? nothing : this.#question(person, deed)}
      <section aria-labelledby="door">
        <h3 id="door">${texts.moderate.lockTitle}</h3>
        <p>${moderation.locked ? texts.moderate.isLocked : texts.moderate.isOpen}</p>
        <div>
          <button type="button" @click=${() => this.#do({ act: moderation.locked ? "unlock" : "lock" })}>
            ${moderation.locked ? texts.moderate.unlock : texts.moderate.lock}
          </button>
        </div>
      </section>
      ${this.#bars(moderation)}
      <p class="told" role="status">${this.result === "" ? nothing : this.result}</p>`;
  }

  #question(person: ModerationSubject, deed: ModerationAction): TemplateResult {
    const words = texts.moderate.deeds[deed];
    return html`<form @submit=${(event: SubmitEvent) => this.#confirm(event, person, deed)}>
      <p>${words.question(shownName(person))}</p>
      ${
        deed === "kick"
          ? nothing
          : html`<label
              >${texts.moderate.howLong}<select name="lasts">
                ${BAN_LASTS_S.map((seconds) => html`<option value=${seconds}>${seconds === 0 ? texts.moderate.untilLifted : texts.invitations.during(seconds)}</option>`)}
              </select></label
            >`
      }
      <div class="row-of-buttons">
        <button class="danger">${words.yes(shownName(person))}</button>
        <button type="button" @click=${() => this.#done()}>${texts.shared.cancel}</button>
      </div>
    </form>`;
  }

  #bars({ bars }: Moderation): TemplateResult | typeof nothing {
    if (bars.length === 0) return nothing;
    return html`<section aria-labelledby="bars">
      <h3 id="bars">${texts.moderate.decided}</h3>
      <ul class="list">
        ${bars.map(({ id, kind, shown, account, browser, by, endsAt }) => {
          const name = browser ? texts.moderate.guestOf(shown) : decidedName(shown, account);
          const decided =
            endsAt === null ? texts.moderate.by(by) : texts.moderate.byUntil(by, moment(new Date(endsAt * 1_000)));
          return html`<li class="entry">
            <span>${texts.moderate.barred[kind](name)}<br /><span class="muted">${decided}</span></span>
            <button type="button" @click=${() => this.#do({ act: "lift", id })}><span>${texts.moderate.lift}<span class="hidden">: ${texts.moderate.barred[kind](name)}</span></span></button>
          </li>`;
        })}
      </ul>
    </section>`;
  }

  #confirm(event: SubmitEvent, { idTag, displayName }: ModerationSubject, deed: ModerationAction): void {
    event.preventDefault();
    const seconds = Number(textOf(event.target, "lasts"));
    const whom = { person: idTag, shown: displayName };
    const lastsS = seconds > 0 ? seconds : null;
    this.#do(deed === "kick" ? { act: deed, ...whom } : { act: deed, ...whom, lastsS });
    this.#done();
  }

  #done(): void {
    this.dispatchEvent(new CustomEvent("stoa-decided"));
  }

  async #look(): Promise<void> {
    try {
      this.#take(await this.api?.doors.moderation(this.scene));
    } catch {
      // The realm refuses editors who aren't moderators, such as in a scene that everyone may edit.
    }
  }

  #do(wish: ModerationWish): void {
    this.result = "";
    this.api?.doors.moderate(this.scene, wish).then(
      (moderation) => this.#take(moderation),
      (error: unknown) => {
        this.result = errorText(error);
      },
    );
  }

  #take(moderation: Moderation | undefined): void {
    this.moderation = moderation;
    if (moderation !== undefined)
      this.dispatchEvent(new CustomEvent("stoa-moderates", { detail: moderation.listening }));
  }
}
