/** The newest of what was said in a scene since one came in: for whoever shows it. */
import type { Chat, SceneSession } from "@stoa/client";
import { CHAT_LINES_MAX } from "../limits.ts";
import type { HiddenPeople } from "./hidden-people.ts";

/** What a log stands on. */
export interface ChatLogOptions {
  /** What these say is kept, but not shown until they are shown again. */
  readonly hidden: () => HiddenPeople | undefined;
  /** Told of each line that comes. */
  readonly onHeard: (chat: Chat) => void;
}

/** The newest lines. */
export class ChatLog {
  readonly #options: ChatLogOptions;
  #all: readonly Chat[] = [];
  #stop: () => void = () => undefined;

  constructor(options: ChatLogOptions) {
    this.#options = options;
  }

  /** What may be read, the newest last. */
  get lines(): readonly Chat[] {
    return this.#all.filter((chat) => !this.isHidden(chat));
  }

  /** From now on it listens to this session, and no longer to another; what was said there is gone. */
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
