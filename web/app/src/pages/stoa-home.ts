import type { Account, Api, SceneSummary } from "@stoa/client";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { brand } from "../controls/brand.ts";
import { typedIn } from "../controls/form-fields.ts";
import { SecondPressConfirmation } from "../controls/second-press.ts";
import { NAME_LENGTH_MAX, SEARCH_FROM } from "../limits.ts";
import { type Preferences, tidyName } from "../preferences/preferences.ts";
import { nameOf, type SceneRemovalControl, sceneCard } from "../scene/scene-card.ts";
import { column, sharedStyles } from "../styles/shared.ts";
import { errorText } from "../texts/error-texts.ts";
import { texts } from "../texts/texts.ts";
import { homeStyles } from "./home-styles.ts";

/** The list of scenes, with the display name and the sign-in form. */
export class StoaHomePage extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    preferences: { attribute: false },
    account: { state: true },
    scenes: { state: true },
    wrong: { state: true },
    sought: { state: true },
  };
  static override readonly styles = [sharedStyles, column, homeStyles];
  declare api: Api | undefined;
  declare preferences: Preferences | undefined;
  declare account: Account | undefined;
  declare scenes: readonly SceneSummary[] | undefined;
  declare wrong: string;
  /** The typed search text. */
  declare sought: string;
  readonly #removing = new SecondPressConfirmation(this);

  constructor() {
    super();
    this.wrong = "";
    this.sought = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  override render() {
    const isGuest = (this.account?.username ?? null) === null;
    return html`<main @stoa-made=${() => void this.#load()}>
      <header>${brand()}</header>
      <div class="intro">
        <h1>${texts.home.title}</h1>
        <p class="muted">${texts.home.intro}</p>
      </div>
      <section class="card" aria-label=${texts.home.yourName}>
        <label
          >${texts.shared.nameOthersSee}
          <input
            name="name"
            autocomplete="nickname"
            maxlength=${NAME_LENGTH_MAX}
            placeholder=${texts.shared.nameExample}
            .value=${this.preferences?.name ?? ""}
            @input=${(event: Event) => this.#rename(typedIn(event))}
          />
        </label>
      </section>
      <section aria-labelledby="scenes">
        <h2 id="scenes">${texts.home.scenes}</h2>
        <p class="wrong" role="alert">${this.wrong === "" ? nothing : this.wrong}</p>
        ${this.#list(isGuest)}
      </section>
      <stoa-join class="card" .api=${this.api}></stoa-join>
      <section class="card">${this.#signIn(isGuest)}</section>
      ${this.account === undefined || isGuest ? nothing : this.#newScene(this.account)}
    </main>`;
  }

  #list(isGuest: boolean): TemplateResult {
    const { scenes, account, sought } = this;
    if (scenes === undefined)
      return html`<p class="muted" role="status">${this.wrong === "" ? texts.home.looking : nothing}</p>`;
    if (scenes.length === 0) return html`<p class="muted">${texts.home.none}</p>`;
    const wanted = sought.trim().toLocaleLowerCase();
    const found = scenes.filter((scene) => nameOf(scene).toLocaleLowerCase().includes(wanted));
    return html`${
      scenes.length < SEARCH_FROM
        ? nothing
        : html`<label
            >${texts.home.find}<input
              type="search"
              .value=${sought}
              @input=${(event: Event) => {
                this.sought = typedIn(event);
              }}
          /></label>`
    }
      <ul class="list scenes">
        ${found.map((scene) => sceneCard(scene, { isGuest, pictureUrl: this.#pictureOf(scene), remove: this.#removal(scene, account), carry: this.#sceneActions(scene, account) }))}
      </ul>
      ${found.length === 0 ? html`<p class="muted" role="status">${texts.home.noneFound}</p>` : nothing}`;
  }

  #pictureOf(scene: SceneSummary): string | undefined {
    return scene.picture ? this.api?.pictureUrl(nameOf(scene)) : undefined;
  }

  /** The removal of a scene, for its signed-in owner; confirmed by a second press. */
  #removal(scene: SceneSummary, account: Account | undefined): SceneRemovalControl | undefined {
    if (scene.role !== "owner" || (account?.username ?? null) === null) return undefined;
    const name = nameOf(scene);
    return {
      isAsked: this.#removing.isAsked(name),
      press: (event) => this.#remove(name, event),
      leave: () => this.#removing.leave(),
    };
  }

  /** Actions on a whole scene, for its signed-in editors and owners. */
  #sceneActions(scene: SceneSummary, account: Account | undefined): TemplateResult | undefined {
    const name = account?.username ?? null;
    if (scene.role === "viewer" || name === null) return undefined;
    return html`<stoa-carry .api=${this.api} .scene=${nameOf(scene)} .account=${name}></stoa-carry>`;
  }

  #remove(name: string, event: UIEvent): void {
    if (!this.#removing.press(name, event)) return;
    this.api?.removeScene(name).then(
      () => this.#load(),
      (error: unknown) => {
        this.wrong = errorText(error);
      },
    );
  }

  #signIn(isGuest: boolean): TemplateResult {
    const door = html`<stoa-sign-in
      .api=${this.api}
      .account=${this.account}
      @stoa-account=${(event: CustomEvent<Account>) => this.#changeAccount(event.detail)}
    ></stoa-sign-in>`;
    if (!isGuest) return door;
    const hint = this.account?.ownerExists === false ? html`<p class="muted">${texts.home.noOwner}</p>` : nothing;
    return html`<details>
        <summary>${texts.shared.signIn}</summary>
        ${door}
      </details>
      ${hint}`;
  }

  /** The form for a new scene. An account may create scenes in its own namespace, an owner of the realm in any. */
  #newScene(account: Account): TemplateResult {
    return html`<section class="card" aria-labelledby="new">
      <h2 id="new">${texts.home.newScene}</h2>
      <stoa-new-scene .api=${this.api} .account=${account} .taken=${this.scenes?.map(nameOf) ?? []}></stoa-new-scene>
    </section>`;
  }

  async #load(): Promise<void> {
    if (this.api === undefined) return;
    try {
      [this.account, this.scenes] = await Promise.all([this.api.me(), this.api.scenes()]);
      this.wrong = "";
    } catch (error) {
      this.wrong = texts.home.notListed(errorText(error));
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
