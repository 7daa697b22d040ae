/** A short message that is shown for a while, and goes by itself. */
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { TOAST_MS } from "../limits.ts";

/** The message of one element. */
export class Toast implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #text = "";
  #ends: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** What is shown now; empty: nothing. */
  get text(): string {
    return this.#text;
  }

  /** Shows it instead of what was there; empty: nothing. */
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
