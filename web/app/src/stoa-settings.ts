import { type Api, type SceneSession, type SceneSettings, wordsOf } from "@stoa/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { isTicked, textOf, typedIn } from "./form.ts";
import { NAME_LENGTH_MAX } from "./limits.ts";
import { look } from "./look.ts";
import { type Picture, type Preferences, showTheme, type Theme, tidyName } from "./preferences.ts";

const THEMES: readonly (readonly [Theme, string])[] = [
  ["auto", "As the device"],
  ["light", "Light"],
  ["dark", "Dark"],
];
const PICTURES: readonly (readonly [Picture, string])[] = [
  ["auto", "As the device can"],
  ["fine", "Fine: smooth edges"],
  ["fast", "Fast: for weak machines"],
];
const RIGHTS = [
  ["public_read", "Everybody may look"],
  ["anonymous_users", "Guests may come"],
  ["public_write", "Everybody may build"],
] as const;

/** One's name, the looks, the link to share, and for an owner who may do what. Emits `stoa-named`. */
export class StoaSettings extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    session: { attribute: false },
    preferences: { attribute: false },
    scene: {},
    network: { state: true },
    rights: { state: true },
    said: { state: true },
    sure: { state: true },
  };
  static override readonly styles = [
    look,
    css`
      :host {
        display: grid;
        gap: 1rem;
      }
      section {
        display: grid;
        gap: 0.5rem;
      }
      .pair {
        display: grid;
        grid-template-columns: 1fr auto;
        gap: 0.5rem;
        align-items: end;
      }
    `,
  ];
  declare api: Api | undefined;
  declare session: SceneSession | undefined;
  declare preferences: Preferences | undefined;
  declare scene: string;
  /** Where others reach the realm, where this page's own address would lead them to themselves. */
  declare network: string | null;
  declare rights: SceneSettings | undefined;
  declare said: string;
  declare sure: boolean;

  constructor() {
    super();
    this.scene = "";
    this.network = null;
    this.said = "";
    this.sure = false;
  }

  override firstUpdated(): void {
    if (isLoopback(location.hostname)) void this.#findNetwork();
    if (this.session?.me.role === "owner") this.#ask(async (api) => await api.settings(this.scene));
  }

  override render() {
    const link = `${this.network ?? location.origin}/${this.scene}`;
    return html`<h2>Share and settings</h2>
      <section aria-label="Link">
        <div class="pair">
          <label>Link to this scene<input name="link" readonly .value=${link} /></label>
          <button type="button" class="primary" @click=${() => this.#copy(link)}>Copy</button>
        </div>
      </section>
      <form class="pair" @submit=${(event: SubmitEvent) => this.#rename(event)}>
        <label
          >Your name<input name="name" required maxlength=${NAME_LENGTH_MAX} .value=${this.session?.me.displayName ?? ""}
        /></label>
        <button>Change</button>
      </form>
      <label
        >Colours<select @change=${(event: Event) => this.#dress(typedIn(event))}>
          ${THEMES.map(([theme, label]) => html`<option value=${theme} ?selected=${this.preferences?.theme === theme}>${label}</option>`)}
        </select></label
      >
      <label
        >Picture<select @change=${(event: Event) => this.#draw(typedIn(event))}>
          ${PICTURES.map(([picture, label]) => html`<option value=${picture} ?selected=${this.preferences?.picture === picture}>${label}</option>`)}
        </select></label
      >
      ${this.rights === undefined ? nothing : this.#forOwner(this.rights)}
      <p role="status">${this.said === "" ? nothing : this.said}</p>
      <a class="button" href="/">Leave the scene</a>`;
  }

  async #findNetwork(): Promise<void> {
    try {
      this.network = (await this.api?.me())?.network ?? null;
    } catch {
      // The link is this page's own address then.
    }
  }

  #forOwner(rights: SceneSettings): TemplateResult {
    return html`<section aria-label="Rights">
        ${RIGHTS.map(
          ([key, label]) => html`<label class="row"
            ><input
              type="checkbox"
              .checked=${rights[key]}
              @change=${(event: Event) => this.#allow({ ...rights, [key]: isTicked(event) })}
            />${label}</label
          >`,
        )}
      </section>
      <button type="button" class="danger" @click=${() => this.#reset()}>
        ${this.sure ? "Really remove everything in it" : "Reset the scene"}
      </button>`;
  }

  #allow(rights: SceneSettings): void {
    this.#ask(async (api) => {
      const now = await api.putSettings(this.scene, rights);
      this.said = "Saved. Who is inside notices when they come back.";
      return now;
    });
  }

  #reset(): void {
    if (!this.sure) {
      this.sure = true;
      return;
    }
    this.sure = false;
    this.#ask(async (api) => {
      await api.resetScene(this.scene);
      this.said = "The scene is as it was at first.";
      return this.rights;
    });
  }

  #ask(request: (api: Api) => Promise<SceneSettings | undefined>): void {
    if (this.api === undefined) return;
    request(this.api).then(
      (rights) => {
        this.rights = rights;
      },
      (error: unknown) => {
        this.said = wordsOf(error);
      },
    );
  }

  #copy(link: string): void {
    const { clipboard } = navigator;
    if (clipboard === undefined) {
      // Plain HTTP has no clipboard: the field is chosen, the keys do the rest.
      this.renderRoot.querySelector<HTMLInputElement>("input[name=link]")?.select();
      this.said = "Press Ctrl+C to copy.";
      return;
    }
    clipboard.writeText(link).then(
      () => {
        this.said = "Copied.";
      },
      () => {
        this.said = link;
      },
    );
  }

  #dress(value: string): void {
    const theme = THEMES.find(([candidate]) => candidate === value)?.[0] ?? "auto";
    if (this.preferences !== undefined) this.preferences.theme = theme;
    showTheme(theme, document.documentElement);
  }

  #draw(value: string): void {
    const picture = PICTURES.find(([candidate]) => candidate === value)?.[0] ?? "auto";
    if (this.preferences !== undefined) this.preferences.picture = picture;
    this.said = "The picture changes when you enter the next time.";
  }

  #rename(event: SubmitEvent): void {
    event.preventDefault();
    const name = tidyName(textOf(event.target, "name"));
    if (name !== "")
      this.dispatchEvent(new CustomEvent<string>("stoa-named", { detail: name, bubbles: true, composed: true }));
  }
}

/** Whether a page at this host is seen on its own machine alone. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
