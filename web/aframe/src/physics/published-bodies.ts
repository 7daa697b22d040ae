/**
 * Selects the bodies to publish on the motion plane, which limits the objects per client: those that move, while they
 * move. Pure: time is an argument.
 */
import { BODIES_TOLD_MAX, BODY_NEWS_MS } from "../limits.ts";

/** A body after a step. */
export interface BodyState {
  readonly objectId: string;
  readonly isAwake: boolean;
}

/** The publications due after a step. */
export interface News {
  /** On the motion plane: the current pose. */
  readonly moved: readonly string[];
  /** To be removed from the motion plane. */
  readonly letGo: readonly string[];
  /** By scene message: bodies at rest, or without a slot on the motion plane. */
  readonly placed: readonly string[];
}

/** The bodies published so far. */
export class PublishedBodies {
  readonly #told = new Set<string>();
  /** Last publication of bodies without a slot on the motion plane. */
  readonly #saidMs = new Map<string, number>();

  /** Call after each step. Published bodies keep their slots; newly moving ones get the free slots. */
  step(bodies: readonly BodyState[], nowMs: number): News {
    const awake = new Set(bodies.filter(({ isAwake }) => isAwake).map(({ objectId }) => objectId));
    const letGo = [...this.#told].filter((objectId) => !awake.has(objectId));
    const placed = [...letGo];
    for (const objectId of letGo) this.#told.delete(objectId);
    for (const objectId of awake) {
      if (this.#told.has(objectId)) continue;
      if (this.#told.size < BODIES_TOLD_MAX) {
        this.#told.add(objectId);
        this.#saidMs.delete(objectId);
      } else if (nowMs - (this.#saidMs.get(objectId) ?? Number.NEGATIVE_INFINITY) >= BODY_NEWS_MS) {
        this.#saidMs.set(objectId, nowMs);
        placed.push(objectId);
      }
    }
    for (const objectId of [...this.#saidMs.keys()]) {
      if (awake.has(objectId)) continue;
      this.#saidMs.delete(objectId);
      placed.push(objectId);
    }
    return { moved: [...this.#told], letGo, placed };
  }

  /** Clears all state. Returns the bodies to remove from the motion plane. */
  end(): readonly string[] {
    const told = [...this.#told];
    this.#told.clear();
    this.#saidMs.clear();
    return told;
  }
}
