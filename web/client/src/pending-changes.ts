/** Changes of objects that the realm has not acknowledged: they outlive a broken connection and are sent again, in order. */

import type { Connection, Outgoing } from "./connection.ts";
import { ClosedError, RefusedError } from "./errors.ts";
import { IN_FLIGHT_BYTES_MAX, IN_FLIGHT_MAX } from "./limits.ts";

interface Pending {
  readonly objectId: string;
  readonly payload: string;
  /** Of the payload in UTF-8. */
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Where changes go: the connection, and the topic of an object on it. */
export interface Outlet {
  readonly connection: Connection;
  readonly topicOf: (objectId: string) => string;
}

/**
 * The changes, in the order in which they were made. So many bytes of them are under way at a time, or one alone: MQTT.js makes one WebSocket message of
 * all that is said in one turn, and a realm takes none that is larger than two packets.
 */
export class PendingChanges {
  readonly #onRefused: (objectId: string, error: RefusedError) => void;
  readonly #waiting = new Set<Pending>();
  /** Those of them that were said on this connection. */
  readonly #underWay = new Set<Pending>();
  #underWayBytes = 0;
  #outlet: Outlet | undefined;

  constructor(onRefused: (objectId: string, error: RefusedError) => void) {
    this.#onRefused = onRefused;
  }

  /** Takes a change. Resolves when it is acknowledged; rejects when it is refused or the scene is left before. */
  add(objectId: string, payload: string): Promise<void> {
    if (this.#waiting.size >= IN_FLIGHT_MAX)
      return Promise.reject(new RefusedError(`more than ${IN_FLIGHT_MAX} changes wait`));
    return new Promise((resolve, reject) => {
      this.#waiting.add({ objectId, payload, bytes: new TextEncoder().encode(payload).length, resolve, reject });
      this.#sendWhatFits();
    });
  }

  /** A connection is open: everything that waits is sent, again if need be. Sending a change twice does no more than once. */
  handleOpened(outlet: Outlet): void {
    this.handleEnded();
    this.#outlet = outlet;
    this.#sendWhatFits();
  }

  /** The connection is gone: what waits goes on waiting. */
  handleEnded(): void {
    this.#outlet = undefined;
    this.#underWay.clear();
    this.#underWayBytes = 0;
  }

  /** Nothing will be sent any more. */
  handleClosed(error: Error = new ClosedError()): void {
    this.handleEnded();
    for (const pending of this.#waiting) pending.reject(error);
    this.#waiting.clear();
  }

  #sendWhatFits(): void {
    if (this.#outlet === undefined) return;
    for (const pending of this.#waiting) {
      if (this.#underWay.has(pending)) continue;
      if (this.#underWay.size > 0 && this.#underWayBytes + pending.bytes > IN_FLIGHT_BYTES_MAX) return;
      this.#underWay.add(pending);
      this.#underWayBytes += pending.bytes;
      this.#send(pending, this.#outlet);
    }
  }

  #send(pending: Pending, outlet: Outlet): void {
    const topic = outlet.topicOf(pending.objectId);
    const message: Outgoing = { topic, payload: pending.payload, acknowledged: true };
    const settle = (error?: unknown) => {
      // A connection that broke answers for nothing: the change waits for the next.
      if (error !== undefined && !(error instanceof RefusedError)) return;
      if (!this.#waiting.delete(pending)) return;
      if (this.#underWay.delete(pending)) this.#underWayBytes -= pending.bytes;
      if (error === undefined) pending.resolve();
      else {
        pending.reject(error);
        this.#onRefused(pending.objectId, error);
      }
      this.#sendWhatFits();
    };
    outlet.connection.publish(message).then(() => settle(), settle);
  }
}
