import type { ReactiveController, ReactiveControllerHost } from "lit";

/** What can't be taken back is asked at the first press of a button and done at the second, which is no double click; whoever leaves the button is asked anew. */
export class SecondPress implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #asked: string | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#asked = undefined;
  }

  /** Whether the next press of the button for this does it. */
  isAsked(what: string): boolean {
    return this.#asked === what;
  }

  /** A press; says whether it is to be done now. */
  press(what: string, { detail }: UIEvent): boolean {
    if (detail > 1) return false;
    const done = this.#asked === what;
    this.#ask(done ? undefined : what);
    return done;
  }

  /** The button has lost the focus. */
  leave(): void {
    this.#ask(undefined);
  }

  #ask(what: string | undefined): void {
    this.#asked = what;
    this.#host.requestUpdate();
  }
}
