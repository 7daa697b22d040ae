import { type Api, isName, type SceneSession, type SceneSettings } from "@stoa/client";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { suggestedName } from "../controls/account-name-field.ts";
import { isTicked, showAgain, textOf, typedIn } from "../controls/form-fields.ts";
import { SecondPressConfirmation } from "../controls/second-press.ts";
import { CROWD_MAX, NAME_LENGTH_MAX } from "../limits.ts";
import { type GraphicsQuality, type Preferences, showTheme, type Theme, tidyName } from "../preferences/preferences.ts";
import type { SceneViewController } from "../scene/stage.ts";
import { sections, sharedStyles } from "../styles/shared.ts";
import { errorText } from "../texts/error-texts.ts";
import { texts } from "../texts/texts.ts";

const THEMES: readonly (readonly [Theme, string])[] = [
  ["auto", texts.settings.themes.auto],
  ["light", texts.settings.themes.light],
  ["dark", texts.settings.themes.dark],
];
const PICTURES: readonly (readonly [GraphicsQuality, string])[] = [
  ["auto", texts.settings.pictures.auto],
  ["fine", texts.settings.pictures.fine],
  ["fast", texts.settings.pictures.fast],
];
/** The rights of a scene that have a checkbox, with their labels. */
const RIGHTS = [
  ["anonymous_users", texts.settings.guestsCome],
  ["public_read", texts.settings.everybodyLooks],
  ["public_write", texts.settings.everybodyBuilds],
] as const;
/** A reset restores the original objects of these scenes; any other scene is empty afterwards. */
const FIRST_SCENES = ["public/lobby", "public/sandbox"];

/**
 * The user's name, avatar and page settings; for editors with an account also export and import, and for an owner the
 * scene's settings. Emits `stoa-named`.
 */
export class StoaSettingsPanel extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    session: { attribute: false },
    stage: { attribute: false },
    preferences: { attribute: false },
    scene: {},
    rights: { state: true },
    asked: { state: true },
    result: { state: true },
    wrongName: { state: true },
  };
  static override readonly styles = [sharedStyles, sections];
  declare api: Api | undefined;
  declare session: SceneSession | undefined;
  declare stage: SceneViewController | undefined;
  declare preferences: Preferences | undefined;
  declare scene: string;
  /** The settings that the realm reported last. */
  declare rights: SceneSettings | undefined;
  /** Changes that the realm hasn't answered yet. */
  declare asked: readonly Partial<SceneSettings>[];
  declare result: string;
  /** The error for a new name of the scene; empty for none. */
  declare wrongName: string;
  readonly #resetting = new SecondPressConfirmation(this);
  #answered: Promise<void> = Promise.resolve();

  constructor() {
    super();
    this.scene = "";
    this.asked = [];
    this.result = "";
    this.wrongName = "";
  }

  override firstUpdated(): void {
    if (this.session?.me.role === "owner") void this.#ask(async (api) => await api.settings(this.scene));
  }

  override render() {
    return html`<form class="pair" @submit=${(event: SubmitEvent) => this.#rename(event)}>
        <label
          >${texts.settings.yourName}<input name="name" required maxlength=${NAME_LENGTH_MAX} .value=${this.session?.me.displayName ?? ""}
        /></label>
        <button>${texts.settings.change}</button>
      </form>
      <label
        >${texts.settings.colors}<select @change=${(event: Event) => this.#dress(typedIn(event))}>
          ${THEMES.map(([theme, label]) => html`<option value=${theme} ?selected=${this.preferences?.theme === theme}>${label}</option>`)}
        </select></label
      >
      <label
        >${texts.settings.picture}<select @change=${(event: Event) => this.#draw(typedIn(event))}>
          ${PICTURES.map(([picture, label]) => html`<option value=${picture} ?selected=${this.preferences?.picture === picture}>${label}</option>`)}
        </select></label
      >
      <stoa-looks
        .api=${this.api}
        .session=${this.session}
        .stage=${this.stage}
        .preferences=${this.preferences}
      ></stoa-looks>
      <stoa-comfort .preferences=${this.preferences} .stage=${this.stage}></stoa-comfort>
      ${this.rights === undefined ? nothing : this.#forOwner(Object.assign({}, this.rights, ...this.asked))}
      ${this.#sceneActions()}
      <p class="told" role="status">${this.result === "" ? nothing : this.result}</p>
      <a class="button" href="/${this.scene}?view=text">${texts.textView.link}</a>
      <a class="button" href="/">${texts.settings.leave}</a>`;
  }

  #forOwner(rights: SceneSettings): TemplateResult {
    const [, scene = ""] = this.scene.split("/");
    const words = this.#resetTexts;
    return html`<form class="pair" @submit=${(event: SubmitEvent) => this.#renameScene(event)}>
        <label
          >${texts.settings.sceneName}<input
            name="scene"
            required
            maxlength="64"
            aria-describedby="scene-wrong"
            aria-invalid=${this.wrongName === "" ? nothing : "true"}
            .value=${scene}
        /></label>
        <button>${texts.settings.renameScene}</button>
      </form>
      <p id="scene-wrong" class="wrong" role="alert">${this.wrongName === "" ? nothing : this.wrongName}</p>
      <section aria-labelledby="rights">
        <h3 id="rights">${texts.settings.rights}</h3>
        ${RIGHTS.map(
          ([key, label]) => html`<label class="row"
            ><input
              type="checkbox"
              .checked=${rights[key]}
              @change=${(event: Event) => this.#change({ [key]: isTicked(event) })}
            />${label}</label
          >`,
        )}
        <label
          >${texts.settings.peopleMax}<input
            name="people-max"
            type="number"
            min="1"
            max=${CROWD_MAX}
            placeholder=${texts.settings.anyNumber}
            .value=${shownMost(rights.people_max)}
            @change=${(event: Event) => this.#setPeopleMax(event, rights.people_max)}
        /></label>
      </section>
      <section aria-labelledby="voice">
        <h3 id="voice">${texts.settings.voice}</h3>
        <label class="row"
          ><input
            type="checkbox"
            .checked=${rights.voice === "open"}
            @change=${(event: Event) => this.#change(voiceChange(isTicked(event)))}
          />${texts.settings.peopleTalk}</label
        >
      </section>
      <button
        type="button"
        class="danger"
        @click=${(event: UIEvent) => this.#reset(event)}
        @blur=${() => this.#resetting.leave()}
      >
        ${this.#resetting.isAsked("") ? words.really : words.reset}
      </button>`;
  }

  /** Actions on the whole scene, for editors with an account. */
  #sceneActions(): TemplateResult | typeof nothing {
    const { me } = this.session ?? {};
    if (me === undefined || me.guest || me.role === "viewer") return nothing;
    return html`<section aria-labelledby="whole">
      <h3 id="whole">${texts.scenes.carry.title}</h3>
      <stoa-carry .api=${this.api} .session=${this.session} .stage=${this.stage} .scene=${this.scene} .account=${me.username}></stoa-carry>
    </section>`;
  }

  /** Renames the scene. The realm redirects everyone in it, including this page. */
  #renameScene(event: SubmitEvent): void {
    event.preventDefault();
    const name = textOf(event.target, "scene").trim();
    this.wrongName = isName(name) ? "" : texts.settings.badSceneName(name, suggestedName(name));
    if (this.wrongName !== "") return;
    const to = `${this.scene.split("/")[0]}/${name}`;
    if (to === this.scene) return;
    void this.#ask(async (api) => {
      await api.renameScene(this.scene, to);
      this.result = texts.settings.sceneRenamed(to);
      return this.rights;
    });
  }

  /**
   * Queues a change of the scene's settings. A request carries all settings, so changes are sent one by one, each on
   * top of the latest settings: no change reverts another. The realm keeps `voice` unless it changes.
   */
  #change(change: Partial<SceneSettings>): void {
    this.asked = [...this.asked, change];
    this.#answered = this.#answered.then(() =>
      this.#ask(async (api) => {
        try {
          const now = await api.putSettings(this.scene, { ...withoutVoice(this.rights), ...change });
          this.result = change.voice === undefined ? texts.settings.saved : texts.settings.voiceSaved;
          return now;
        } finally {
          this.asked = this.asked.filter((one) => one !== change);
        }
      }),
    );
  }

  /** Sets the limit of people; empty removes it. */
  #setPeopleMax(event: Event, before: number | null): void {
    const typed = typedIn(event).trim();
    const most = typed === "" ? null : Number(typed);
    const isNumber = !(event.target instanceof HTMLInputElement && event.target.validity.badInput);
    if (isNumber && (most === null || (Number.isInteger(most) && most >= 1 && most <= CROWD_MAX))) {
      this.#change({ people_max: most });
      return;
    }
    showAgain(event, shownMost(before));
    this.result = texts.settings.peopleWrong(CROWD_MAX, typed);
  }

  get #resetTexts(): { readonly reset: string; readonly really: string; readonly was: string } {
    const { reset, reallyReset, wasReset, empty, reallyEmpty, wasEmptied } = texts.settings;
    return FIRST_SCENES.includes(this.scene)
      ? { reset, really: reallyReset, was: wasReset }
      : { reset: empty, really: reallyEmpty, was: wasEmptied };
  }

  #reset(event: UIEvent): void {
    if (!this.#resetting.press("", event)) return;
    void this.#ask(async (api) => {
      await api.resetScene(this.scene);
      this.result = this.#resetTexts.was;
      return this.rights;
    });
  }

  async #ask(request: (api: Api) => Promise<SceneSettings | undefined>): Promise<void> {
    if (this.api === undefined) return;
    try {
      this.rights = await request(this.api);
    } catch (error) {
      this.result = errorText(error);
    }
  }

  #dress(value: string): void {
    const theme = THEMES.find(([candidate]) => candidate === value)?.[0] ?? "auto";
    if (this.preferences !== undefined) this.preferences.theme = theme;
    showTheme(theme, document.documentElement);
  }

  #draw(value: string): void {
    const picture = PICTURES.find(([candidate]) => candidate === value)?.[0] ?? "auto";
    if (this.preferences !== undefined) this.preferences.picture = picture;
    this.result = texts.settings.pictureLater;
  }

  #rename(event: SubmitEvent): void {
    event.preventDefault();
    const name = tidyName(textOf(event.target, "name"));
    if (name !== "")
      this.dispatchEvent(new CustomEvent<string>("stoa-named", { detail: name, bubbles: true, composed: true }));
  }
}

function shownMost(most: number | null): string {
  return most === null ? "" : String(most);
}

/** ARENA's `video_conference` is off in some scenes of an ARENA realm, and would keep voice off. */
function voiceChange(isOn: boolean): Partial<SceneSettings> {
  return isOn ? { voice: "open", video_conference: true } : { voice: "off" };
}

/** Settings without `voice`, which reads `off` wherever `video_conference` is off. */
function withoutVoice(settings: SceneSettings | undefined): Partial<SceneSettings> {
  if (settings === undefined) return {};
  const { voice, ...kept } = settings;
  return kept;
}
