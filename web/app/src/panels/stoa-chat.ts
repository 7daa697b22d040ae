import type { Chat, SceneSession } from "@stoa/client";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { textOf } from "../controls/form-fields.ts";
import { CHAT_BYTES_MAX } from "../limits.ts";
import { ChatLog } from "../scene/chat-log.ts";
import type { HiddenPeople } from "../scene/hidden-people.ts";
import { sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";
import { known } from "./stoa-people.ts";

const encoder = new TextEncoder();

/** The chat messages and the field to send one. Emits `stoa-heard` for each visible message of another person. */
export class StoaChatPanel extends LitElement {
  static override readonly properties = {
    session: { attribute: false },
    hiddenPeople: { attribute: false },
    newest: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    css`
      .lines {
        margin: var(--space-2) 0;
        height: min(40dvh, 20rem);
        overflow: auto;
        display: grid;
        align-content: end;
        gap: var(--space-1);
        overflow-wrap: anywhere;
      }
      .lines.some {
        align-content: start;
      }
      form {
        grid-template-columns: 1fr auto;
        gap: var(--space-2);
      }
      .own strong {
        color: var(--accent);
      }
    `,
  ];
  declare session: SceneSession | undefined;
  /** Messages of these people are kept, and shown once they are unhidden. */
  declare hiddenPeople: HiddenPeople | undefined;
  declare newest: Chat | undefined;
  readonly #log = new ChatLog({ hidden: () => this.hiddenPeople, onHeard: (chat) => this.#hear(chat) });
  #stopHiding: () => void = () => undefined;

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("hiddenPeople")) {
      this.#stopHiding();
      this.#stopHiding = this.hiddenPeople?.follow(() => this.requestUpdate()) ?? (() => undefined);
    }
    if (changed.has("session")) this.#log.follow(this.session);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#log.follow(undefined);
    this.#stopHiding();
  }

  override render() {
    const { lines } = this.#log;
    return html`<div class=${lines.length === 0 ? "lines" : "lines some"} role="log" aria-live="polite" aria-label=${texts.chat.log} tabindex="0">
        ${
          lines.length === 0
            ? html`<p class="muted">${texts.chat.nothing}</p>`
            : lines.map(
                ({ idTag, displayName, text, own }) =>
                  html`<p class=${own ? "own" : ""}><strong>${displayName}</strong>${own ? nothing : known(idTag, displayName)}: ${text}</p>`,
              )
        }
      </div>
      <form @submit=${(event: SubmitEvent) => this.#say(event)}>
        <input name="text" aria-label=${texts.chat.say} placeholder=${texts.chat.say} autocomplete="off" maxlength=${CHAT_BYTES_MAX} />
        <button class="primary">${texts.chat.send}</button>
      </form>`;
  }

  override updated(changed: PropertyValues): void {
    const log = this.renderRoot.querySelector(".lines");
    if (changed.has("newest") && log !== null) log.scrollTop = log.scrollHeight;
  }

  #hear(chat: Chat): void {
    this.newest = chat;
    if (!chat.own && !this.#log.isHidden(chat))
      this.dispatchEvent(new CustomEvent<Chat>("stoa-heard", { detail: chat, bubbles: true, composed: true }));
  }

  #say(event: SubmitEvent): void {
    event.preventDefault();
    const text = textOf(event.target, "text").trim();
    if (text === "" || this.session === undefined) return;
    this.session.sendChat(text);
    // A message that can't be sent or is too long stays in the field, to be sent again or shortened.
    const goes = this.session.status.kind === "live" && encoder.encode(text).length <= CHAT_BYTES_MAX;
    if (goes && event.target instanceof HTMLFormElement) event.target.reset();
  }
}
