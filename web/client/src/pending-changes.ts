/** Changes of objects that the realm has not acknowledged: they outlive a broken connection and are sent again, in order. */

import type { Connection, Outgoing } from "./connection.ts";
import { ClosedError, RefusedError } from "./errors.ts";
import { IN_FLIGHT_MAX } from "./limits.ts";

interface Pending {
  readonly objectId: string;
  readonly payload: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Where changes go: the connection, and the topic of an object on it. */
export interface Outlet {
  readonly connection: Connection;
  readonly topicOf: (objectId: string) => string;
}

/** The changes, in the order in which they were made. */
export class PendingChanges {
  readonly #onRefused: (objectId: string, error: RefusedError) => void;
  readonly #waiting = new Set<Pending>();
  #outlet: Outlet | undefined;

  constructor(onRefused: (objectId: string, error: RefusedError) => void) {
    this.#onRefused = onRefused;
  }

  /** Takes a change. Resolves when it is acknowledged; rejects when it is refused or the scene is left before. */
  add(objectId: string, payload: string): Promise<void> {
    if (this.#waiting.size >= IN_FLIGHT_MAX)
      return Promise.reject(new RefusedError(`more than ${IN_FLIGHT_MAX} changes wait`));
    return new Promise((resolve, reject) => {
      const pending = { objectId, payload, resolve, reject };
      this.#waiting.add(pending);
      if (this.#outlet !== undefined) this.#send(pending, this.#outlet);
    });
  }

  /** A connection is open: everything that waits is sent, again if need be. Sending a change twice does no more than once. */
  handleOpened(outlet: Outlet): void {
    this.#outlet = outlet;
    for (const pending of [...this.#waiting]) this.#send(pending, outlet);
  }

  /** The connection is gone: what waits goes on waiting. */
  handleEnded(): void {
    this.#outlet = undefined;
  }

  /** Nothing will be sent any more. */
  handleClosed(error: Error = new ClosedError()): void {
    this.#outlet = undefined;
    for (const pending of this.#waiting) pending.reject(error);
    this.#waiting.clear();
  }

  #send(pending: Pending, outlet: Outlet): void {
    const topic = outlet.topicOf(pending.objectId);
    const message: Outgoing = { topic, payload: pending.payload, acknowledged: true };
    const settle = (error?: unknown) => {
      // A connection that broke answers for nothing: the change waits for the next.
      if (error !== undefined && !(error instanceof RefusedError)) return;
      if (!this.#waiting.delete(pending)) return;
      if (error === undefined) pending.resolve();
      else {
        pending.reject(error);
        this.#onRefused(pending.objectId, error);
      }
    };
    outlet.connection.publish(message).then(() => settle(), settle);
  }
}
