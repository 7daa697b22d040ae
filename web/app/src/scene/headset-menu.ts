/**
 * The menu in VR and AR: **each action there is one entry here**, in the order of the menu, with its label in the
 * texts. Each stage gets the entries, and again whenever they change.
 */
import type { MenuEntry } from "@stoa/aframe";
import type { SceneSession } from "@stoa/client";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { texts } from "../texts/texts.ts";
import { HeadsetChat } from "./headset-chat.ts";
import type { HiddenPeople } from "./hidden-people.ts";
import type { SceneViewController } from "./stage.ts";

/** The inputs of the entries. */
export interface HeadsetMenuInputs {
  readonly session: SceneSession;
  readonly stage: SceneViewController;
  readonly chat: HeadsetChat;
  /** Whether edit mode is on; `undefined` without the right to edit. */
  readonly isBuilding: boolean | undefined;
  /** Turns edit mode on or off. */
  readonly build: (begins: boolean) => void;
  /** The editor's own entries. */
  readonly tools: readonly MenuEntry[];
  /** The entries for the own voice. */
  readonly talk: readonly MenuEntry[];
}

export function menuEntries({
  session,
  stage,
  chat,
  isBuilding,
  build,
  tools,
  talk,
}: HeadsetMenuInputs): readonly MenuEntry[] {
  const { build: begin, stopBuilding } = texts.inScene;
  return [
    ...talk,
    { label: texts.overlay.panels.chat, news: chat.news, run: () => chat.open(stage, session) },
    { label: texts.inScene.placeAgain, may: () => stage.mayPlace(), run: () => stage.placeInRoom() },
    ...(isBuilding === true ? tools : []),
    ...(isBuilding === undefined ? [] : [{ label: isBuilding ? stopBuilding : begin, run: () => build(!isBuilding) }]),
  ];
}

/** The host element, which has a stage once the scene is shown. */
export interface HeadsetMenuHost extends ReactiveControllerHost {
  readonly stage: SceneViewController | undefined;
  readonly session: SceneSession | undefined;
}

/** The page's callbacks. */
export interface HeadsetMenuOptions extends Pick<HeadsetMenuInputs, "build"> {
  readonly hidden: () => HiddenPeople;
  readonly isBuilding: () => boolean | undefined;
  /** The entries for the own voice, whose labels change with its state. */
  readonly talk: () => readonly MenuEntry[];
}

/** Gives each stage its menu. */
export class HeadsetMenuController implements ReactiveController {
  readonly #host: HeadsetMenuHost;
  readonly #chat: HeadsetChat;
  readonly #options: HeadsetMenuOptions;
  #stage: SceneViewController | undefined;
  #isBuilding: boolean | undefined;
  #talk: readonly MenuEntry[] = [];
  #tools: readonly MenuEntry[] = [];

  constructor(host: HeadsetMenuHost, options: HeadsetMenuOptions) {
    this.#host = host;
    this.#options = options;
    this.#chat = new HeadsetChat({ hidden: options.hidden, onNews: () => this.#offer() });
    host.addController(this);
  }

  hostUpdated(): void {
    const { stage, session } = this.#host;
    this.#chat.follow(session);
    const isBuilding = this.#options.isBuilding();
    const talk = this.#options.talk();
    if (this.#stage === stage && this.#isBuilding === isBuilding && haveSameLabels(talk, this.#talk)) return;
    [this.#stage, this.#isBuilding, this.#talk] = [stage, isBuilding, talk];
    this.#offer();
  }

  hostDisconnected(): void {
    this.#chat.follow(undefined);
  }

  /** Replaces the editor's entries. */
  setTools(tools: readonly MenuEntry[]): void {
    this.#tools = tools;
    this.#offer();
  }

  #offer(): void {
    const { stage, session } = this.#host;
    if (stage === undefined || session === undefined) return;
    const building = { isBuilding: this.#isBuilding, build: this.#options.build, tools: this.#tools };
    stage.setMenu(menuEntries({ session, stage, chat: this.#chat, talk: this.#talk, ...building }));
  }
}

function haveSameLabels(some: readonly MenuEntry[], more: readonly MenuEntry[]): boolean {
  return some.length === more.length && some.every(({ label }, at) => label === more[at]?.label);
}
