/** A Lit controller that confirms irreversible actions by a second press. */
import type { ReactiveController, ReactiveControllerHost } from "lit";

/**
 * Confirms an irreversible action by a second press of the same button. A double click doesn't count, and the
 * confirmation ends when the button loses the focus.
 */
export class SecondPressConfirmation implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #asked: string | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#asked = undefined;
  }

  /** Whether the next press confirms this action. */
  isAsked(what: string): boolean {
    return this.#asked === what;
  }

  /** Handles a press. Returns whether the action is confirmed. */
  press(what: string, { detail }: UIEvent): boolean {
    if (detail > 1) return false;
    const done = this.#asked === what;
    this.#ask(done ? undefined : what);
    return done;
  }

  /** Called when the button loses the focus. */
  leave(): void {
    this.#ask(undefined);
  }

  #ask(what: string | undefined): void {
    this.#asked = what;
    this.#host.requestUpdate();
  }
}
