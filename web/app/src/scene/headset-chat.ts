/** Shows the chat in VR and AR: recent messages above a keyboard in the scene. */
import type { OpenWriting } from "@stoa/aframe";
import { accountOf, type Chat, type SceneSession } from "@stoa/client";
import { CHAT_BYTES_MAX } from "../limits.ts";
import { texts } from "../texts/texts.ts";
import { ChatLog } from "./chat-log.ts";
import type { HiddenPeople } from "./hidden-people.ts";
import type { SceneViewController } from "./stage.ts";

/** The chat's dependencies. */
export interface HeadsetChatOptions {
  readonly hidden: () => HiddenPeople;
  /** Called when unread messages arrive or have been read. */
  readonly onNews: () => void;
}

/** The user's chat panel in the scene. */
export class HeadsetChat {
  readonly #options: HeadsetChatOptions;
  readonly #log: ChatLog;
  #session: SceneSession | undefined;
  #writing: OpenWriting | null = null;
  #news = 0;

  constructor(options: HeadsetChatOptions) {
    this.#options = options;
    this.#log = new ChatLog({ hidden: options.hidden, onHeard: (chat) => this.#hear(chat) });
  }

  /** Number of messages by other people that arrived while the keyboard was closed and are not hidden. */
  get news(): number {
    return this.#news;
  }

  follow(session: SceneSession | undefined): void {
    if (this.#session === session) return;
    this.#session = session;
    this.#log.follow(session);
    // The open keyboard was removed with its stage.
    this.#writing = null;
    this.#tell(0);
  }

  open(stage: SceneViewController, session: SceneSession): void {
    this.#writing = stage.write({
      title: texts.chat.title,
      lines: this.#lines(),
      lengthMax: CHAT_BYTES_MAX,
      onSend: (text) => session.sendChat(text),
      onClose: () => {
        this.#writing = null;
      },
    });
    this.#tell(0);
  }

  #hear(chat: Chat): void {
    if (this.#writing !== null) this.#writing.setLines(this.#lines());
    else if (!chat.own && !this.#log.isHidden(chat)) this.#tell(this.#news + 1);
  }

  #tell(news: number): void {
    if (news === this.#news) return;
    this.#news = news;
    this.#options.onNews();
  }

  #lines(): readonly string[] {
    const { lines } = this.#log;
    return lines.length === 0 ? [texts.chat.nothing] : lines.map(lineOf);
  }
}

/**
 * A message with its sender's name, and for other people the account if it differs: people pick the name, the realm
 * sets the account.
 */
function lineOf({ idTag, displayName, text, own }: Chat): string {
  const account = accountOf(idTag);
  const { line, knownAs } = texts.inScene;
  return line(own || account === displayName ? displayName : knownAs(displayName, account), text);
}
