import {
  type Account,
  type Api,
  ClosedError,
  enterScene,
  hindranceOf,
  IDLE,
  RefusedError,
  type SceneSession,
  type Status,
} from "@stoa/client";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { PLAIN_LOOKS } from "../preferences/avatar-appearance.ts";
import type { Preferences } from "../preferences/preferences.ts";
import { addressOf, type SceneDestination } from "../routing/destinations.ts";
import { routeOf, type SceneViewMode } from "../routing/route.ts";
import { preloadSceneFiles } from "../scene/preload.ts";
import { type SceneViewController, type StageMounter, showStage, UndrawableError } from "../scene/stage.ts";
import type { StoaQuestionDialog } from "../scene/stoa-ask.ts";
import { errorText } from "../texts/error-texts.ts";
import { texts } from "../texts/texts.ts";
import { loadVoice } from "../voice/load-voice.ts";
import { SceneVoice } from "../voice/scene-voice.ts";
import { followSpeakers } from "../voice/speaking.ts";
import { CAME_BACK } from "./stoa-renewed.ts";
import type { VersionCheck } from "./version-check.ts";

/** The account if the realm doesn't answer: a guest without rights. */
const NOBODY: Account = { username: null, owner: false, ownerExists: true, accounts: "closed", network: null };

/**
 * The page of one scene: the name form, then the scene. It uses the light DOM, since A-Frame doesn't support shadow
 * roots.
 */
export class StoaScenePage extends LitElement {
  static override readonly properties = {
    scene: {},
    view: { reflect: true },
    undrawable: { state: true },
    api: { attribute: false },
    preferences: { attribute: false },
    invite: { attribute: false },
    versionCheck: { attribute: false },
    account: { state: true },
    named: { state: true },
    status: { state: true },
    session: { state: true },
    stage: { state: true },
    voice: { state: true },
    selected: { state: true },
  };
  declare scene: string;
  declare view: SceneViewMode;
  /** Whether this browser can't draw 3D, so that the text view is shown. */
  declare undrawable: boolean;
  declare api: Api | undefined;
  declare preferences: Preferences | undefined;
  /** The secret of an invitation until it is redeemed; empty for none. */
  declare invite: string;
  declare versionCheck: VersionCheck | undefined;
  /** The account, which may be a guest; `undefined` until its request has ended. */
  declare account: Account | undefined;
  declare named: string;
  declare status: Status;
  declare session: SceneSession | undefined;
  declare stage: SceneViewController | undefined;
  declare voice: SceneVoice | undefined;
  declare selected: readonly string[];
  /** Tests replace `enter` and `showStage`. */
  enter = enterScene;
  showStage: StageMounter = showStage;
  loadVoice = loadVoice;
  /** Makes the whole page full screen. Without a headset, A-Frame would make only its canvas full screen. */
  readonly #wholeScreen = {
    capture: true,
    handleEvent: (event: Event) => {
      if (!(event.target instanceof Element) || event.target.closest(".a-enter-vr.fullscreen") === null) return;
      event.stopPropagation();
      void (document.fullscreenElement === null ? this.requestFullscreen() : document.exitFullscreen());
    },
  };
  #leave = new AbortController();
  #entry = 0;

  constructor() {
    super();
    this.scene = "";
    this.view = "3d";
    this.undrawable = false;
    this.invite = "";
    this.named = "";
    this.status = { kind: "connecting" };
    this.selected = [];
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("pagehide", this.#onPageHide);
    addEventListener("popstate", this.#onPopState);
    addEventListener("vite:preloadError", this.#onChunkMissing);
    if (this.view === "text") void loadText();
    else preloadSceneFiles(document);
    void this.#begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("pagehide", this.#onPageHide);
    removeEventListener("popstate", this.#onPopState);
    removeEventListener("vite:preloadError", this.#onChunkMissing);
    this.#exit();
  }

  override render() {
    const asks = this.account?.username === null && this.named === "";
    const waits = asks || (this.account === undefined && this.named === "");
    return html`<div class="stoa-stage" @click=${this.#wholeScreen}></div>
      ${
        asks
          ? html`<stoa-enter
              .scene=${this.scene}
              .api=${this.api}
              .account=${this.account}
              .invite=${this.invite}
              @stoa-named=${(event: CustomEvent<string>) => this.#rename(event.detail)}
              @stoa-account=${(event: CustomEvent<Account>) => this.#signedIn(event.detail)}
            ></stoa-enter>`
          : nothing
      }
      ${this.view === "text" ? this.#inWords(waits || this.#isOut) : this.#overDrawing(waits || this.#isOut)}
      ${this.#isOut ? this.#refused() : nothing}
      <stoa-ask></stoa-ask>`;
  }

  #inWords(waits: boolean): TemplateResult {
    return html`<stoa-text
      ?hidden=${waits}
      .api=${this.api}
      .session=${this.session}
      .status=${this.status}
      .scene=${this.scene}
      .voice=${this.voice}
      .preferences=${this.preferences}
      .body=${this.preferences?.looks.body ?? PLAIN_LOOKS.body}
      .undrawable=${this.undrawable}
      @stoa-travel=${(event: CustomEvent<SceneDestination>) => this.#travel(event.detail)}
    ></stoa-text>`;
  }

  #overDrawing(waits: boolean): TemplateResult {
    return html`<stoa-overlay
        ?hidden=${waits}
        .api=${this.api}
        .session=${this.session}
        .stage=${this.stage}
        .status=${this.status}
        .preferences=${this.preferences}
        .voice=${this.voice}
        .scene=${this.scene}
        .selected=${this.selected}
        @stoa-named=${(event: CustomEvent<string>) => this.#rename(event.detail)}
        @stoa-choose=${(event: CustomEvent<readonly string[]>) => {
          this.selected = event.detail;
        }}
      ></stoa-overlay>`;
  }

  #refused(): TemplateResult {
    return html`<stoa-refused
      .api=${this.api}
      .account=${this.account}
      .hindrance=${this.status.hindrance}
      .reason=${this.status.reason ?? ""}
      .scene=${this.scene}
      .invite=${this.invite}
      @stoa-again=${() => this.#reenter()}
      @stoa-account=${(event: CustomEvent<Account>) => this.#signedIn(event.detail)}
    ></stoa-refused>`;
  }

  /** Whether only an error page can be shown: refused, or the realm was offline before the first entry. */
  get #isOut(): boolean {
    const { kind, hindrance } = this.status;
    return kind === "refused" || (this.session === undefined && kind === "connecting" && hindrance !== undefined);
  }

  get #asking(): StoaQuestionDialog | null {
    return this.querySelector("stoa-ask");
  }

  /** Requests the account: a signed-in user already has a name. */
  async #begin(): Promise<void> {
    this.named = this.preferences?.name ?? "";
    try {
      this.account = await this.api?.me();
    } catch {
      // The realm is offline; entering retries and shows that.
    }
    this.account ??= NOBODY;
    await this.updateComplete;
    if (this.isConnected) this.#reenter();
  }

  /** Enters the scene with the known name, or asks for one. */
  #reenter(): void {
    this.#exit();
    this.status = { kind: "connecting" };
    const name = this.named === "" ? this.account?.username : this.named;
    if (name !== null && name !== undefined) void this.#go(name);
  }

  #signedIn(account: Account): void {
    this.account = account;
    this.#reenter();
  }

  #rename(name: string): void {
    if (this.preferences !== undefined) this.preferences.name = name;
    this.named = name;
    this.#exit();
    void this.#go(name);
  }

  async #go(displayName: string): Promise<void> {
    this.#leave = new AbortController();
    this.#entry += 1;
    const entry = this.#entry;
    const { signal } = this.#leave;
    const onStatus = (status: Status) => {
      const now = status.hindrance?.scene;
      if (entry === this.#entry && now !== undefined) {
        history.replaceState(null, "", `/${now}${location.search}${location.hash}`);
        this.#arrive(now);
        return;
      }
      // A reconnection counts only for the entry that is still current.
      if (entry === this.#entry && status.kind === "live" && this.status.kind === "reconnecting")
        dispatchEvent(new Event(CAME_BACK));
      if (entry === this.#entry && !(status.kind === "closed" && this.status.kind === "refused")) this.status = status;
      if (entry === this.#entry && status.kind === "refused" && this.session !== undefined) this.#exit();
    };
    try {
      await this.#redeem();
      const { model, body } = this.preferences?.looks ?? PLAIN_LOOKS;
      const color = this.preferences?.color;
      const looks = { headModelPath: model, doing: { ...IDLE, body }, ...(color === undefined ? {} : { color }) };
      const options = { baseUrl: location.origin, scene: this.scene, displayName, onStatus, signal, ...looks };
      const session = await this.enter(options);
      await this.updateComplete;
      const into = this.querySelector(".stoa-stage");
      if (into === null || signal.aborted) return;
      this.session = session;
      const voice = new SceneVoice({
        session,
        load: this.loadVoice,
        isPhone: isPhone(),
        presses: window,
        mode: this.preferences?.talkMode ?? "open",
        microphone: this.preferences?.microphone,
      });
      this.voice = voice;
      if (this.view === "text") {
        await loadText();
        return;
      }
      const stage = await this.showStage(into, session, {
        picture: this.preferences?.picture ?? "auto",
        ...(this.preferences === undefined ? {} : { comfort: this.preferences.comfort }),
        onTravel: (to) => this.#travel(to),
        onSelect: (objectIds) => {
          this.selected = objectIds;
        },
        onHeld: (isHeld) => voice.hold(isHeld),
        onAsk: async (question) => (await this.#asking?.ask(question)) ?? null,
        mayLeave: async (address) => (await this.#asking?.mayLeave(address)) ?? false,
      });
      if (signal.aborted) {
        stage.dispose();
        return;
      }
      stage.setDoing({ body });
      voice.heads = () => stage.heads();
      followSpeakers(voice, (idTags) => stage.setSpeaking(idTags));
      this.stage = stage;
    } catch (error) {
      if (error instanceof ClosedError) return;
      if (error instanceof UndrawableError) {
        this.undrawable = true;
        this.view = "text";
        await loadText();
        return;
      }
      const reason = error instanceof RefusedError ? error.reason : errorText(error);
      const hindrance = hindranceOf(error);
      onStatus({ kind: "refused", reason, ...(hindrance === undefined ? {} : { hindrance }) });
    }
  }

  /** Redeems an invitation for the signed-in account, otherwise for this browser. */
  async #redeem(): Promise<void> {
    if (this.invite === "") return;
    await this.api?.doors.redeem(this.invite);
    this.invite = "";
  }

  #exit(): void {
    this.#leave.abort();
    this.voice?.close();
    this.voice = undefined;
    this.stage?.dispose();
    this.stage = undefined;
    this.session = undefined;
    this.selected = [];
  }

  /**
   * Goes to a landmark of the current scene, or enters another scene without a page load. Name and avatar are kept; the
   * browser's back button returns.
   */
  #travel(to: SceneDestination): void {
    const here = to.scene === this.scene;
    const landmark = here
      ? this.stage?.landmarks().find(({ label, objectId }) => [label, objectId].includes(to.landmark))
      : null;
    if (landmark) this.stage?.goTo(landmark.objectId);
    if (here) return;
    history.pushState(null, "", addressOf(to, this.undrawable ? "3d" : this.view));
    this.#arrive(to.scene);
  }

  /** Handles an address with another scene: leaves the current scene and enters the other one. */
  #arrive(scene: string): void {
    this.scene = scene;
    this.invite = "";
    document.title = texts.scene.title(scene);
    this.#reenter();
  }

  readonly #onPopState = (): void => {
    const route = routeOf(location);
    if (route.page !== "scene" || (route.view !== this.view && !this.undrawable)) location.reload();
    else if (route.scene !== this.scene) this.#arrive(route.scene);
  };

  /**
   * Reloads a page that was opened before an update and can't load its other chunks, while the scene isn't shown yet
   * and nothing is lost.
   */
  readonly #onChunkMissing = async (): Promise<void> => {
    const isIn = this.session !== undefined && (this.view === "text" || this.stage !== undefined);
    if (!isIn && (await this.versionCheck?.isRenewed()) === true) location.reload();
  };

  readonly #onPageHide = (event: PageTransitionEvent): void => {
    // A page restored from the back-forward cache keeps its session, which reconnects by itself.
    if (!event.persisted) this.#exit();
  };
}

/** Whether the device has no pointer but fingers. */
function isPhone(): boolean {
  return matchMedia("(pointer: coarse) and (hover: none)").matches;
}

/** Loads the text view's script on demand, since few users need it. */
async function loadText(): Promise<void> {
  const { defineTextView } = await import("../text-view/index.ts");
  defineTextView(customElements);
}
