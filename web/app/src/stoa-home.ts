import { type Account, type Api, isName, type SceneSummary, wordsOf } from "@stoa/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { brand } from "./brand.ts";
import { textOf, typedIn } from "./form.ts";
import { NAME_LENGTH_MAX } from "./limits.ts";
import { column, look } from "./look.ts";
import { type Preferences, tidyName } from "./preferences.ts";

/** The list of scenes, with the name one goes by and the way to sign in. */
export class StoaHome extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    preferences: { attribute: false },
    account: { state: true },
    scenes: { state: true },
    wrong: { state: true },
    notMade: { state: true },
  };
  static override readonly styles = [
    look,
    column,
    css`
      ul {
        list-style: none;
        margin: 0;
        padding: 0;
        display: grid;
        gap: 0.75rem;
      }
      li {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem 1rem;
        align-items: center;
        justify-content: space-between;
        padding: 0.9rem 1.1rem;
        background: var(--panel);
        border: 1px solid var(--line);
        border-radius: var(--radius);
      }
      .name {
        font-weight: 650;
        overflow-wrap: anywhere;
      }
      h1 {
        font-size: clamp(1.6rem, 5vw, 2.2rem);
        line-height: 1.2;
      }
      .intro {
        display: grid;
        gap: 0.5rem;
      }
      summary {
        cursor: pointer;
        font-weight: 600;
      }
      details[open] summary {
        margin-bottom: 0.9rem;
      }
      .pair {
        display: grid;
        grid-template-columns: 1fr auto;
        gap: 0.6rem;
        align-items: end;
      }
    `,
  ];
  declare api: Api | undefined;
  declare preferences: Preferences | undefined;
  declare account: Account | undefined;
  declare scenes: readonly SceneSummary[] | undefined;
  declare wrong: string;
  /** Why a new scene wasn't made: said beside its form. */
  declare notMade: string;

  constructor() {
    super();
    this.wrong = "";
    this.notMade = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  override render() {
    const isGuest = (this.account?.username ?? null) === null;
    return html`<main>
      <header>${brand()}</header>
      <div class="intro">
        <h1>Shared spaces of this realm</h1>
        <p class="muted">Pick a scene, walk in, and build with whoever is there.</p>
      </div>
      <section class="card" aria-label="Your name">
        <label
          >The name others see
          <input
            name="name"
            autocomplete="nickname"
            maxlength=${NAME_LENGTH_MAX}
            placeholder="For example: Ada"
            .value=${this.preferences?.name ?? ""}
            @input=${(event: Event) => this.#rename(typedIn(event))}
          />
        </label>
      </section>
      <section aria-labelledby="scenes">
        <h2 id="scenes">Scenes</h2>
        <p class="wrong" role="alert">${this.wrong === "" ? nothing : this.wrong}</p>
        ${this.#list(isGuest)}
      </section>
      <section class="card">${this.#door(isGuest)}</section>
      ${this.account?.owner === true ? this.#newScene() : nothing}
    </main>`;
  }

  #list(isGuest: boolean): TemplateResult {
    if (this.scenes === undefined)
      return html`<p class="muted" role="status">${this.wrong === "" ? "Looking …" : nothing}</p>`;
    if (this.scenes.length === 0)
      return html`<p class="muted">There is no scene that you may enter. Sign in to see more.</p>`;
    return html`<ul>
      ${this.scenes.map(
        ({ namespace, scene, role, people }) => html`<li>
          <div>
            <div class="name">${namespace}/${scene}</div>
            <div class="muted">${countOf(people)} · ${ROLE_WORDS[role]}</div>
          </div>
          <a class="button primary" href="/${namespace}/${scene}"
            ><span>Enter <span class="hidden">${namespace}/${scene}</span>${isGuest ? " as guest" : ""}</span></a
          >
        </li>`,
      )}
    </ul>`;
  }

  #door(isGuest: boolean): TemplateResult {
    const door = html`<stoa-sign-in
      .api=${this.api}
      .account=${this.account}
      @stoa-account=${(event: CustomEvent<Account>) => this.#changeAccount(event.detail)}
    ></stoa-sign-in>`;
    if (!isGuest) return door;
    const hint =
      this.account?.ownerExists === false
        ? html`<p class="muted">Nobody owns this realm yet: open the owner link that it printed when it started.</p>`
        : nothing;
    return html`<details>
        <summary>Sign in</summary>
        ${door}
      </details>
      ${hint}`;
  }

  #newScene(): TemplateResult {
    return html`<section class="card" aria-labelledby="new">
      <h2 id="new">A new scene</h2>
      <form @submit=${(event: SubmitEvent) => this.#create(event)}>
        <div class="pair">
          <label>Namespace/name<input name="scene" required placeholder="public/atelier" /></label>
          <button class="primary">Create</button>
        </div>
        <p class="wrong" role="alert">${this.notMade === "" ? nothing : this.notMade}</p>
      </form>
    </section>`;
  }

  async #load(): Promise<void> {
    if (this.api === undefined) return;
    try {
      [this.account, this.scenes] = await Promise.all([this.api.me(), this.api.scenes()]);
      this.wrong = "";
    } catch (error) {
      this.wrong = `The scenes can't be listed: ${wordsOf(error)}`;
    }
  }

  async #create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    this.notMade = "";
    const name = textOf(event.target, "scene").trim();
    const parts = name.split("/");
    if (parts.length !== 2 || !parts.every(isName)) {
      this.notMade = "A scene's name is namespace/name, of letters, digits, dots, dashes and underscores.";
      return;
    }
    try {
      if (this.scenes?.some(({ namespace, scene }) => `${namespace}/${scene}` === name)) {
        this.notMade = `There is a scene ${name} already.`;
        return;
      }
      await this.api?.putSettings(name, {});
      await this.#load();
    } catch (error) {
      this.notMade = wordsOf(error);
    }
  }

  #changeAccount(account: Account): void {
    this.account = account;
    void this.#load();
  }

  #rename(name: string): void {
    if (this.preferences !== undefined) this.preferences.name = tidyName(name);
  }
}

const ROLE_WORDS = { viewer: "you may look around", editor: "you may build", owner: "it is yours" } as const;

function countOf(people: number): string {
  if (people === 0) return "empty now";
  return people === 1 ? "one person inside" : `${people} people inside`;
}
