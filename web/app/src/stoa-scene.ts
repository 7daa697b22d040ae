import { type Api, ClosedError, enterScene, RefusedError, type SceneSession, type Status, wordsOf } from "@stoa/client";
import { html, LitElement, nothing } from "lit";
import type { Preferences } from "./preferences.ts";
import { type Raise, raiseStage, type Stage } from "./stage.ts";

/** The page of one scene: a name first, then the scene itself. In the light DOM, since A-Frame knows no shadow roots. */
export class StoaScene extends LitElement {
  static override readonly properties = {
    scene: {},
    api: { attribute: false },
    preferences: { attribute: false },
    account: { state: true },
    named: { state: true },
    status: { state: true },
    session: { state: true },
    stage: { state: true },
    selected: { state: true },
  };
  declare scene: string;
  declare api: Api | undefined;
  declare preferences: Preferences | undefined;
  /** Who is signed in; `undefined` until the realm has said so. */
  declare account: string | null | undefined;
  declare named: string;
  declare status: Status;
  declare session: SceneSession | undefined;
  declare stage: Stage | undefined;
  declare selected: string | null;
  /** Both replaced in tests. */
  enter = enterScene;
  raise: Raise = raiseStage;
  #leave = new AbortController();
  #entry = 0;

  constructor() {
    super();
    this.scene = "";
    this.named = "";
    this.status = { kind: "connecting" };
    this.selected = null;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("pagehide", this.#goodbye);
    void this.#begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("pagehide", this.#goodbye);
    this.#exit();
  }

  override render() {
    const asks = this.account === null && this.named === "";
    const waits = asks || (this.account === undefined && this.named === "");
    return html`<div class="stoa-stage"></div>
      ${
        asks
          ? html`<stoa-enter .scene=${this.scene} @stoa-named=${(event: CustomEvent<string>) => this.#rename(event.detail)}></stoa-enter>`
          : nothing
      }
      <stoa-overlay
        ?hidden=${waits}
        .api=${this.api}
        .session=${this.session}
        .stage=${this.stage}
        .status=${this.status}
        .preferences=${this.preferences}
        .scene=${this.scene}
        .selected=${this.selected}
        @stoa-named=${(event: CustomEvent<string>) => this.#rename(event.detail)}
        @stoa-choose=${(event: CustomEvent<string | null>) => {
          this.selected = event.detail;
        }}
      ></stoa-overlay>`;
  }

  /** Asks who is signed in: an account has a name already. */
  async #begin(): Promise<void> {
    this.named = this.preferences?.name ?? "";
    try {
      this.account = (await this.api?.me())?.username ?? null;
    } catch {
      // The realm is away: entering goes on trying, and shows it.
      this.account = null;
    }
    await this.updateComplete;
    const name = this.named === "" ? this.account : this.named;
    if (name !== null && name !== undefined && this.isConnected) await this.#go(name);
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
      if (entry === this.#entry) this.status = status;
    };
    try {
      const options = { baseUrl: location.origin, scene: this.scene, displayName, onStatus, signal };
      const session = await this.enter(options);
      await this.updateComplete;
      const into = this.querySelector(".stoa-stage");
      if (into === null || signal.aborted) return;
      this.session = session;
      const stage = await this.raise(into, session, {
        picture: this.preferences?.picture ?? "auto",
        onSelect: (objectId) => {
          this.selected = objectId;
        },
      });
      if (signal.aborted) stage.dispose();
      else this.stage = stage;
    } catch (error) {
      if (error instanceof ClosedError) return;
      onStatus({ kind: "refused", reason: error instanceof RefusedError ? error.reason : wordsOf(error) });
    }
  }

  #exit(): void {
    this.#leave.abort();
    this.stage?.dispose();
    this.stage = undefined;
    this.session = undefined;
    this.selected = null;
  }

  readonly #goodbye = (event: PageTransitionEvent): void => {
    // A page kept for the back button wakes up again: the session then comes back by itself.
    if (!event.persisted) this.#exit();
  };
}
