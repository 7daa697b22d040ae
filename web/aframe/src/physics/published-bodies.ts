/**
 * Which bodies are told on the motion plane, where one person moves only so many things: those that move, for as long as they do. Pure: time is an
 * argument.
 */
import { BODIES_TOLD_MAX, BODY_NEWS_MS } from "../limits.ts";

/** A body, after a step. */
export interface BodyState {
  readonly objectId: string;
  readonly isAwake: boolean;
}

/** What is to be said of which. */
export interface News {
  /** On the motion plane: it is there now. */
  readonly moved: readonly string[];
  /** The motion plane hears of it no more. */
  readonly letGo: readonly string[];
  /** By a message of the scene: it rests there, or there was no room on the plane. */
  readonly placed: readonly string[];
}

/** What was said so far. */
export class PublishedBodies {
  readonly #told = new Set<string>();
  /** Without room on the plane: when its place was said last. */
  readonly #saidMs = new Map<string, number>();

  /** After a step. What moves already goes on; what begins to move gets the room that is left. */
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

  /** All that is on the plane, which hears of none of it any more. */
  end(): readonly string[] {
    const told = [...this.#told];
    this.#told.clear();
    this.#saidMs.clear();
    return told;
  }
}
