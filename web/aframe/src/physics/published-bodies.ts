/**
 * Selects the bodies to publish on the motion plane: moving bodies, up to the plane's limit of objects per client.
 * Pure: time is an argument.
 */
import { BODY_NEWS_MS, PUBLISHED_BODIES_MAX } from "../limits.ts";

/** A body after a step. */
export interface BodySleepState {
  readonly objectId: string;
  readonly isAwake: boolean;
}

/** The publications due after a step. */
export interface DueBodyPublications {
  /** On the motion plane: the current pose. */
  readonly moved: readonly string[];
  /** To be removed from the motion plane. */
  readonly released: readonly string[];
  /** By scene message: bodies that have just come to rest, or move without a slot on the motion plane. */
  readonly messaged: readonly string[];
}

/** The bodies published so far. */
export class BodyPublicationSelector {
  readonly #published = new Set<string>();
  /** Last publication of bodies without a slot on the motion plane. */
  readonly #messagedMs = new Map<string, number>();

  /** Call after each step. Published bodies keep their slots; newly moving ones get the free slots. */
  step(bodies: readonly BodySleepState[], nowMs: number): DueBodyPublications {
    const awake = new Set(bodies.filter(({ isAwake }) => isAwake).map(({ objectId }) => objectId));
    const released = [...this.#published].filter((objectId) => !awake.has(objectId));
    const messaged = [...released];
    for (const objectId of released) this.#published.delete(objectId);
    for (const objectId of awake) {
      if (this.#published.has(objectId)) continue;
      if (this.#published.size < PUBLISHED_BODIES_MAX) {
        this.#published.add(objectId);
        this.#messagedMs.delete(objectId);
      } else if (nowMs - (this.#messagedMs.get(objectId) ?? Number.NEGATIVE_INFINITY) >= BODY_NEWS_MS) {
        this.#messagedMs.set(objectId, nowMs);
        messaged.push(objectId);
      }
    }
    for (const objectId of [...this.#messagedMs.keys()]) {
      if (awake.has(objectId)) continue;
      this.#messagedMs.delete(objectId);
      messaged.push(objectId);
    }
    return { moved: [...this.#published], released, messaged };
  }

  /** Clears all state. Returns the bodies to remove from the motion plane. */
  end(): readonly string[] {
    const published = [...this.#published];
    this.#published.clear();
    this.#messagedMs.clear();
    return published;
  }
}
