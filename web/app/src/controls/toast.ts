/** A Lit controller that holds a short message and removes it after `TOAST_MS`. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { TOAST_MS } from "../limits.ts";

/** The message of one element. */
export class ToastController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #text = "";
  #ends: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** The current message; empty for none. */
  get text(): string {
    return this.#text;
  }

  /** Replaces the message; an empty text removes it. */
  say(text: string): void {
    this.#text = text;
    this.#host.requestUpdate();
    clearTimeout(this.#ends);
    if (text !== "") this.#ends = setTimeout(() => this.say(""), TOAST_MS);
  }

  hostDisconnected(): void {
    clearTimeout(this.#ends);
    this.#text = "";
  }
}
