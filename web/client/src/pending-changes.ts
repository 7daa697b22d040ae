/** Unacknowledged changes of objects. They survive a lost connection and are sent again in order. */

import type { Connection, Outgoing } from "./connection.ts";
import { ClosedError, RefusedError } from "./errors.ts";
import { IN_FLIGHT_BYTES_MAX, IN_FLIGHT_MAX } from "./limits.ts";

interface PendingChange {
  readonly objectId: string;
  readonly payload: string;
  /** Size of the payload in UTF-8. */
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The connection for changes, and an object's topic on it. */
export interface ChangeConnection {
  readonly connection: Connection;
  readonly topicOf: (objectId: string) => string;
}

/**
 * The changes in their order. At most `IN_FLIGHT_BYTES_MAX` bytes, or one change, are in flight: MQTT.js joins all
 * packets of one turn of the event loop into one WebSocket message, and a realm accepts at most two packets' size.
 */
export class PendingChanges {
  readonly #onRefused: (objectId: string, error: RefusedError) => void;
  readonly #waiting = new Set<PendingChange>();
  /** The changes that were sent on this connection and are not acknowledged yet. */
  readonly #underWay = new Set<PendingChange>();
  #underWayBytes = 0;
  #opened: ChangeConnection | undefined;

  constructor(onRefused: (objectId: string, error: RefusedError) => void) {
    this.#onRefused = onRefused;
  }

  /** Adds a change. Resolves at its acknowledgement; rejects if it is refused or the scene is left first. */
  add(objectId: string, payload: string): Promise<void> {
    if (this.#waiting.size >= IN_FLIGHT_MAX)
      return Promise.reject(new RefusedError(`more than ${IN_FLIGHT_MAX} changes wait`));
    return new Promise((resolve, reject) => {
      this.#waiting.add({ objectId, payload, bytes: new TextEncoder().encode(payload).length, resolve, reject });
      this.#sendWhatFits();
    });
  }

  /** Sends the changes again, on a new connection. Changes are idempotent, so sending one again is harmless. */
  handleOpened(opened: ChangeConnection): void {
    this.handleEnded();
    this.#opened = opened;
    this.#sendWhatFits();
  }

  /** Drops the connection. The changes wait for the next. */
  handleEnded(): void {
    this.#opened = undefined;
    this.#underWay.clear();
    this.#underWayBytes = 0;
  }

  /** Rejects all changes, as there will be no connection. */
  handleClosed(error: Error = new ClosedError()): void {
    this.handleEnded();
    for (const pending of this.#waiting) pending.reject(error);
    this.#waiting.clear();
  }

  #sendWhatFits(): void {
    if (this.#opened === undefined) return;
    for (const pending of this.#waiting) {
      if (this.#underWay.has(pending)) continue;
      if (this.#underWay.size > 0 && this.#underWayBytes + pending.bytes > IN_FLIGHT_BYTES_MAX) return;
      this.#underWay.add(pending);
      this.#underWayBytes += pending.bytes;
      this.#send(pending, this.#opened);
    }
  }

  #send(pending: PendingChange, opened: ChangeConnection): void {
    const topic = opened.topicOf(pending.objectId);
    const message: Outgoing = { topic, payload: pending.payload, acknowledged: true };
    const settle = (error?: unknown) => {
      // The connection broke, so the change waits for the next.
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
    opened.connection.publish(message).then(() => settle(), settle);
  }
}
