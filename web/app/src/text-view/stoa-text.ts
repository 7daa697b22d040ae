import type { Api, Doing, SceneSession, Status } from "@stoa/client";
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { typedIn } from "../controls/form-fields.ts";
import { NEARBY_PERIOD_MS, WALK_PERIOD_MS } from "../limits.ts";
import type { Preferences } from "../preferences/preferences.ts";
import { landmarkIn, type SceneDestination } from "../routing/destinations.ts";
import { SessionRedrawController } from "../scene/session-updates.ts";
import type { StoaQuestionDialog } from "../scene/stoa-ask.ts";
import { icon } from "../styles/icons.ts";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";
import { pressHint, pressHintStyles } from "../voice/press-hint.ts";
import type { SceneVoice } from "../voice/scene-voice.ts";
import { talkButton } from "../voice/talk-button.ts";
import { TalkController } from "../voice/talk-keys.ts";
import { matchesSearch } from "./descriptions.ts";
import { eighthOf } from "./geometry.ts";
import { jumps, newsList, part, placeList } from "./list-sections.ts";
import type { NearbyEntry, NearbyLists } from "./nearby.ts";
import { act } from "./object-actions.ts";
import type { TextViewObject } from "./objects.ts";
import type { NearbyListName } from "./sorting.ts";
import type { ChosenObjectAction } from "./stoa-text-things.ts";
import { entryStyles, textStyles } from "./text-styles.ts";
import { Visit } from "./visit.ts";

const words = texts.textView;
const LISTS: readonly NearbyListName[] = ["people", "places", "tries", "things"];

/**
 * The text view of a scene. It uses the page's session, and its actions have the same effects as in the 3D view. Emits
 * `stoa-travel` with a {@link SceneDestination}.
 */
export class StoaTextView extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    session: { attribute: false },
    status: { attribute: false },
    scene: {},
    voice: { attribute: false },
    preferences: { attribute: false },
    body: {},
    undrawable: { attribute: false },
    wanted: { state: true },
  };
  static override readonly styles = [sharedStyles, textStyles, entryStyles, pressHintStyles];
  declare api: Api | undefined;
  declare session: SceneSession | undefined;
  declare status: Status;
  declare scene: string;
  declare voice: SceneVoice | undefined;
  declare preferences: Preferences | undefined;
  /** Whether other people see the user's legs. */
  declare body: Doing["body"];
  /** Whether this browser can't draw 3D, so that there is no other view. */
  declare undrawable: boolean;
  /** Search text for the names, types, colours and texts of objects. */
  declare wanted: string;
  #visit: Visit | undefined;
  #hasArrived = false;
  #timer: ReturnType<typeof setInterval> | undefined;
  #drawnAt = 0;

  constructor() {
    super();
    new TalkController(this, {
      voice: () => this.voice,
      takesKeys: () => true,
      // The page shows both below its head.
      onHindered: () => undefined,
      onEcho: () => undefined,
    });
    this.status = { kind: "connecting" };
    this.scene = "";
    this.body = "full";
    this.undrawable = false;
    this.wanted = "";
    new SessionRedrawController(this, ["reset", "status"]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => this.#tick(performance.now()), WALK_PERIOD_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    this.#visit?.end();
    this.#visit = undefined;
  }

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("session")) {
      this.#visit?.end();
      this.#visit = this.#begin();
    }
    const visit = this.#visit;
    if (this.voice !== undefined && visit !== undefined) this.voice.heads = () => visit.heads();
  }

  override render(): TemplateResult {
    const { session } = this;
    return html`<main class="page">
      <header>
        <a class="button home" href="/" aria-label=${texts.shared.allScenes}><img src="/favicon.svg" alt="" /></a>
        <h1>${this.scene}</h1>
        ${talkButton(this.voice)}
        ${this.undrawable ? nothing : html`<a class="button" href="/${this.scene}">${icon("eye")}${words.to3D}</a>`}
      </header>
      <stoa-status .status=${this.status}></stoa-status>
      ${pressHint(this.voice)} ${this.#hindrance()}
      <p class="press echo" role="status">${this.voice?.hasEcho === true ? texts.voice.echo : nothing}</p>
      ${session === undefined || this.#visit === undefined ? nothing : this.#body(session, this.#visit)}
      <stoa-ask></stoa-ask>
    </main>`;
  }

  #hindrance(): TemplateResult | typeof nothing {
    const talk = this.voice?.talk;
    return talk?.kind === "hindered"
      ? html`<p class="wrong" role="alert">${texts.voice.hindrances[talk.hindrance]}</p>`
      : nothing;
  }

  override updated(changed: PropertyValues): void {
    // In another scene the focused element is gone. The focus moves to the section on the user.
    if (changed.has("session") && this.session !== undefined) {
      if (this.#hasArrived) this.#focus("you");
      this.#hasArrived = true;
    }
  }

  #begin(): Visit | undefined {
    const { session, body } = this;
    if (session === undefined) return undefined;
    const visit = new Visit({
      session,
      base: document.baseURI,
      body,
      landmark: landmarkIn(location.hash),
      random: Math.random,
      onChanged: () => this.requestUpdate(),
    });
    if (this.#hasArrived && visit.announcement === "") visit.announcement = words.entered(this.scene);
    return visit;
  }

  #body(session: SceneSession, visit: Visit): TemplateResult {
    const nearby = visit.nearby.list({
      from: visit.stand,
      isWanted: (object) => matchesSearch(object, this.wanted),
      reading: LISTS.find((list) => this.shadowRoot?.activeElement?.closest(`[aria-labelledby="${list}"]`) != null),
    });
    return html`<p class="muted">${this.undrawable ? words.noWebGL : words.intro}</p>
      ${jumps({ ...nearby, speaks: this.#speaks }, (event, id) => this.#jump(event, id))}
      <div class="columns">
        <div class="column">
          ${part(
            "you",
            words.you,
            html`<stoa-text-you
              .visit=${visit}
              .eighth=${eighthOf(visit.stand.yawRad)}
              .announcement=${visit.announcement}
              .announcements=${visit.announcements}
              .raised=${visit.isHandRaised}
              .seated=${visit.isSeated}
            ></stoa-text-you>`,
          )}
          ${part(
            "people",
            words.people(nearby.people.length),
            html`<stoa-text-people
              .api=${this.api}
              .session=${session}
              .visit=${visit}
              .voice=${this.voice}
              .scene=${this.scene}
              .people=${nearby.people}
            ></stoa-text-people>`,
          )}
          ${placeList(nearby.places, visit)}
          ${nearby.hasNoObjects ? html`<p class="muted">${words.empty}</p>` : this.#finder(nearby)}
          ${this.#things("tries", nearby.tries, visit)} ${this.#things("things", nearby.things, visit)}
        </div>
        <div class="column">
          ${newsList(visit)}
          ${part("chat", texts.chat.title, html`<stoa-chat .session=${session} .hiddenPeople=${visit.hidden}></stoa-chat>`)}
          ${this.#speaks ? part("voice", texts.overlay.panels.voice, this.#voicePanel()) : nothing}
        </div>
      </div>`;
  }

  get #speaks(): boolean {
    return this.voice?.rights?.speak === true;
  }

  /** The settings of the own voice. The head of the page shows what hinders it. */
  #voicePanel(): TemplateResult {
    return html`<stoa-voice
      .voice=${this.voice}
      .preferences=${this.preferences}
      .showsHindrance=${false}
    ></stoa-voice>`;
  }

  /** Objects with actions are listed first: a scene has many objects without any. */
  #things(
    list: "tries" | "things",
    things: readonly NearbyEntry<TextViewObject>[],
    visit: Visit,
  ): TemplateResult | typeof nothing {
    if (things.length === 0) return nothing;
    const content = html`<stoa-text-things
      .visit=${visit}
      .things=${things}
      .cut=${this.wanted === ""}
      @stoa-act=${({ detail }: CustomEvent<ChosenObjectAction>) => void this.#act(detail, visit)}
    ></stoa-text-things>`;
    return part(list, words[list](things.length), content);
  }

  #finder({ tries, things }: NearbyLists): TemplateResult {
    return html`<section role="search" aria-label=${words.find}>
      <label
        >${words.find}<input
          type="search"
          .value=${this.wanted}
          @input=${(event: Event) => {
            this.wanted = typedIn(event).trim();
          }}
      /></label>
      <p class="muted" role="status">${tries.length + things.length === 0 ? words.notFound : nothing}</p>
    </section>`;
  }

  get #asking(): StoaQuestionDialog | null {
    return this.renderRoot.querySelector("stoa-ask");
  }

  async #act(what: ChosenObjectAction, visit: Visit): Promise<void> {
    const travel = (detail: SceneDestination) =>
      void this.dispatchEvent(new CustomEvent<SceneDestination>("stoa-travel", { detail }));
    await act(what, { visit, scene: this.scene, asking: this.#asking, travel });
  }

  #tick(nowMs: number): void {
    this.#visit?.handleTime(nowMs, WALK_PERIOD_MS / 1_000);
    if (this.#visit === undefined || nowMs - this.#drawnAt < NEARBY_PERIOD_MS) return;
    this.#drawnAt = nowMs;
    this.requestUpdate();
  }

  #jump(event: Event, id: string): void {
    event.preventDefault();
    this.#focus(id);
  }

  #focus(id: string): void {
    this.renderRoot.querySelector<HTMLElement>(`#${id}`)?.focus();
  }
}
