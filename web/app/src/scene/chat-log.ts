/** Keeps the newest chat messages since the session joined its scene, for panels and headset. */
import type { Chat, SceneSession } from "@stoa/client";
import { CHAT_LINES_MAX } from "../limits.ts";
import type { HiddenPeople } from "./hidden-people.ts";

/** The log's dependencies. */
export interface ChatLogOptions {
  /** The hidden people. Their messages are kept, and shown once the person is unhidden. */
  readonly hidden: () => HiddenPeople | undefined;
  /** Called with each new message. */
  readonly onHeard: (chat: Chat) => void;
}

/** The chat messages of the current session. */
export class ChatLog {
  readonly #options: ChatLogOptions;
  #all: readonly Chat[] = [];
  #stop: () => void = () => undefined;

  constructor(options: ChatLogOptions) {
    this.#options = options;
  }

  /** The visible messages, newest last. */
  get lines(): readonly Chat[] {
    return this.#all.filter((chat) => !this.isHidden(chat));
  }

  /** Follows this session instead of the previous one, whose messages are dropped. */
  follow(session: SceneSession | undefined): void {
    this.#stop();
    this.#all = [];
    this.#stop =
      session?.on("chat", (chat) => {
        this.#all = [...this.#all, chat].slice(-CHAT_LINES_MAX);
        this.#options.onHeard(chat);
      }) ?? (() => undefined);
  }

  isHidden({ idTag, own }: Chat): boolean {
    return !own && this.#options.hidden()?.has(idTag) === true;
  }
}
