import type { Chat, SceneSession } from "@stoa/client";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { textOf } from "./form.ts";
import { CHAT_BYTES_MAX, CHAT_LINES_MAX } from "./limits.ts";
import { look } from "./look.ts";
import { known } from "./stoa-people.ts";

/** What was said, and the field to say something. Counts what came while it was hidden in `unread`. */
export class StoaChat extends LitElement {
  static override readonly properties = { session: { attribute: false }, lines: { state: true } };
  static override readonly styles = [
    look,
    css`
      .lines {
        margin: 0.6rem 0;
        height: min(40dvh, 20rem);
        overflow: auto;
        display: grid;
        align-content: end;
        gap: 0.3rem;
        overflow-wrap: anywhere;
      }
      .lines.some {
        align-content: start;
      }
      form {
        grid-template-columns: 1fr auto;
        gap: 0.5rem;
      }
      .own strong {
        color: var(--accent);
      }
    `,
  ];
  declare session: SceneSession | undefined;
  declare lines: readonly Chat[];
  #stop: () => void = () => undefined;

  constructor() {
    super();
    this.lines = [];
  }

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("session")) return;
    this.#stop();
    this.#stop = this.session?.on("chat", (chat) => this.#hear(chat)) ?? this.#stop;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop();
  }

  override render() {
    return html`<h2>Chat</h2>
      <div class="lines" role="log" aria-live="polite" aria-label="What was said" tabindex="0">
        ${
          this.lines.length === 0
            ? html`<p class="muted">Nothing was said yet.</p>`
            : this.lines.map(
                ({ idTag, displayName, text, own }) =>
                  html`<p class=${own ? "own" : ""}><strong>${displayName}</strong>${own ? nothing : known(idTag, displayName)} ${text}</p>`,
              )
        }
      </div>
      <form @submit=${(event: SubmitEvent) => this.#say(event)}>
        <input name="text" aria-label="Say something" placeholder="Say something" autocomplete="off" maxlength=${CHAT_BYTES_MAX} />
        <button class="primary">Send</button>
      </form>`;
  }

  override updated(changed: PropertyValues): void {
    const log = this.renderRoot.querySelector(".lines");
    if (changed.has("lines") && log !== null) log.scrollTop = log.scrollHeight;
  }

  #hear(chat: Chat): void {
    this.lines = [...this.lines, chat].slice(-CHAT_LINES_MAX);
    if (!chat.own)
      this.dispatchEvent(new CustomEvent<Chat>("stoa-heard", { detail: chat, bubbles: true, composed: true }));
  }

  #say(event: SubmitEvent): void {
    event.preventDefault();
    const text = textOf(event.target, "text").trim();
    if (text === "" || this.session === undefined) return;
    this.session.sendChat(text);
    if (event.target instanceof HTMLFormElement) event.target.reset();
  }
}
