import type { Account, Api, Hindrance } from "@stoa/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { brand } from "../controls/brand.ts";
import { column, cover, sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";

type RefusalKind = keyof typeof texts.refused.kinds;

/** Refusals for which signing in may help. */
const SIGN_IN: readonly RefusalKind[] = ["not_found", "not_allowed", "account_needed", "locked"];
/** Refusals that may be temporary. */
const AGAIN: readonly RefusalKind[] = ["locked", "full", "put_out", "not_allowed", "refused"];

/**
 * The reason why the user can't be in a scene, with possible actions, for each kind of refusal. Emits `stoa-again`, and
 * `stoa-account` after a sign-in.
 */
export class StoaRefusalPage extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    account: { attribute: false },
    hindrance: { attribute: false },
    reason: {},
    scene: {},
    invite: { attribute: false },
    left: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    column,
    cover,
    css`
      main {
        max-width: 32rem;
      }
      /* Its countdown has to stay readable. */
      .waits:disabled {
        opacity: 1;
      }
    `,
  ];
  declare api: Api | undefined;
  declare account: Account | undefined;
  declare hindrance: Hindrance | undefined;
  /** The reason as a text, shown only for the kind `refused`. */
  declare reason: string;
  declare scene: string;
  /** An invitation that isn't redeemed yet; an account that is created here uses it. */
  declare invite: string;
  /** Seconds until a retry makes sense. */
  declare left: number;
  #ticking: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    this.reason = "";
    this.scene = "";
    this.invite = "";
    this.left = 0;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("hindrance")) return;
    clearInterval(this.#ticking);
    this.left = this.hindrance?.retryAfterS ?? 0;
    if (this.left > 0) this.#ticking = setInterval(() => this.#tick(), 1_000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#ticking);
  }

  override render() {
    const kind = this.#kind;
    const { title, text } = texts.refused.kinds[kind];
    const waits = kind === "restarting" || kind === "away";
    return html`<main>
      <header>${brand()}</header>
      <section class="card" aria-labelledby="title" role=${waits ? "status" : "alert"}>
        <h1 id="title">${title}</h1>
        <p>${text(this.scene, { invited: this.invite !== "", timed: this.hindrance?.retryAfterS !== undefined })}</p>
        ${kind === "refused" && this.reason !== "" ? html`<p class="muted">${this.reason}</p>` : nothing}
        <div class="row-of-buttons">${this.#again(kind)}<a class="button" href="/">${texts.shared.allScenes}</a></div>
      </section>
      ${this.#signIn(kind)}
    </main>`;
  }

  get #kind(): RefusalKind {
    const code = this.hindrance?.code ?? "refused";
    return isRefusalKind(code) ? code : "refused";
  }

  #again(kind: RefusalKind): TemplateResult | typeof nothing {
    if (!AGAIN.includes(kind)) return nothing;
    return html`<button type="button" class="primary waits" ?disabled=${this.left > 0} @click=${() => this.#ask()}>
      ${this.left > 0 ? texts.refused.backIn(this.left) : texts.status.tryAgain}
    </button>`;
  }

  /** The sign-in form, for users who aren't signed in. */
  #signIn(kind: RefusalKind): TemplateResult | typeof nothing {
    if (!SIGN_IN.includes(kind) || this.account === undefined || this.account.username !== null) return nothing;
    return html`<section class="card" aria-labelledby="door">
      <h2 id="door">${texts.refused.haveAccount}</h2>
      <stoa-sign-in .api=${this.api} .account=${this.account} .invite=${this.invite}></stoa-sign-in>
    </section>`;
  }

  #tick(): void {
    this.left -= 1;
    if (this.left <= 0) clearInterval(this.#ticking);
  }

  #ask(): void {
    this.dispatchEvent(new CustomEvent("stoa-again", { bubbles: true, composed: true }));
  }
}

function isRefusalKind(code: string): code is RefusalKind {
  return Object.hasOwn(texts.refused.kinds, code);
}
