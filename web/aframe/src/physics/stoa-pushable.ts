/**
 * An object pushed by presses: ARENA's `physx-force-pushable`, and the legacy `impulse`. Page:
 * docs/components/stoa-pushable.md
 */
import { type AFrameAdapter, type Behaviour, detailOf, type Entity, type Three } from "../aframe.ts";
import type { PointerDetail } from "../pressing/stoa-pointer.ts";
import type { Xyz } from "../values.ts";

export interface PushableSettings {
  readonly on: string;
  /** In kg m/s, away from the presser. */
  readonly force: number;
  /** A fixed impulse in kg m/s that replaces `force`; all zero: not set. */
  readonly direction: Xyz;
}

/** Event of a push; its detail is a {@link PushImpulse}. */
export const PUSH = "stoa-push";

export interface PushImpulse {
  readonly objectId: string;
  /** In kg m/s. */
  readonly impulse: Xyz;
}

/** One pushable object. */
export class PushableBehaviour implements Behaviour<PushableSettings> {
  readonly #el: Entity;
  readonly #at: Three.Vector3;
  readonly #listening = new AbortController();
  #settings: PushableSettings | null = null;

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#el = el;
    this.#at = new aframe.THREE.Vector3();
    for (const type of ["mousedown", "mouseup"]) {
      el.addEventListener(type, (event) => this.#on(type, detailOf(event)), { signal: this.#listening.signal });
    }
  }

  update(settings: PushableSettings): void {
    this.#settings = { ...settings };
  }

  remove(): void {
    this.#listening.abort();
    this.#settings = null;
  }

  #on(type: string, detail: PointerDetail | null): void {
    if (!this.#settings || !detail?.origin || type !== this.#settings.on) return;
    const { direction, force } = this.#settings;
    const [x, y, z] = detail.origin;
    this.#el.object3D.getWorldPosition(this.#at);
    this.#at.set(this.#at.x - x, this.#at.y - y, this.#at.z - z).setLength(force);
    const isGiven = direction.x !== 0 || direction.y !== 0 || direction.z !== 0;
    const impulse = isGiven ? direction : this.#at;
    const push: PushImpulse = {
      objectId: this.#el.dataset.objectId ?? "",
      impulse: { x: impulse.x, y: impulse.y, z: impulse.z },
    };
    this.#el.emit(PUSH, push, true);
  }
}

/** Registers `stoa-pushable`. */
export function registerPushable(aframe: AFrameAdapter): void {
  aframe.registerComponent<PushableSettings, PushableBehaviour>({
    name: "stoa-pushable",
    schema: {
      on: { type: "string", default: "mousedown" },
      force: { type: "number", default: 10 },
      direction: { type: "vec3", default: { x: 0, y: 0, z: 0 } },
    },
    create: (el) => new PushableBehaviour(aframe, el),
  });
}
