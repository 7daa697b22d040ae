/** Keeps an object facing a target. Page: docs/components/stoa-look-at.md */
import { type AFrameAdapter, asEntity, type Behaviour, type Entity, type Three } from "../aframe.ts";
import { SEARCH_INTERVAL_MS } from "../limits.ts";
import type { Xyz } from "../values.ts";

/**
 * The settings of `stoa-look-at`: an object's id, a person's idTag, or `camera` or `my-camera` for the user's camera;
 * without a target, a point in scene space.
 */
export interface LookAtSettings {
  readonly target: string;
  readonly point: Xyz;
}

/** Turns one object towards its target. */
export class LookAtBehaviour implements Behaviour<LookAtSettings> {
  readonly #el: Entity;
  readonly #at: Three.Vector3;
  #settings: LookAtSettings | null = null;
  #target: Element | null = null;
  #searchedMs = Number.NEGATIVE_INFINITY;

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#el = el;
    this.#at = new aframe.THREE.Vector3();
  }

  update(settings: LookAtSettings): void {
    this.#settings = settings;
    this.#target = null;
    this.#searchedMs = Number.NEGATIVE_INFINITY;
  }

  tick(timeMs: number): void {
    if (!this.#settings || !this.#find(this.#settings, timeMs)) return;
    this.#el.object3D.lookAt(this.#at);
  }

  remove(): void {
    this.#target = null;
    this.#settings = null;
  }

  /** Writes the target's position into `#at`; false while unknown. */
  #find({ target, point }: LookAtSettings, timeMs: number): boolean {
    if (target === "") {
      this.#at.set(point.x, point.y, point.z);
      return true;
    }
    if (target === "camera" || target === "my-camera") {
      this.#el.sceneEl?.camera?.getWorldPosition(this.#at);
      return this.#el.sceneEl?.camera !== undefined;
    }
    if (!this.#target?.isConnected) this.#search(target, timeMs);
    if (!this.#target) return false;
    asEntity(this.#target).object3D.getWorldPosition(this.#at);
    return true;
  }

  #search(target: string, timeMs: number): void {
    this.#target = null;
    if (timeMs - this.#searchedMs < SEARCH_INTERVAL_MS) return;
    this.#searchedMs = timeMs;
    const id = CSS.escape(target);
    this.#target = this.#el.sceneEl?.querySelector(`[data-object-id="${id}"], [data-id-tag="${id}"]`) ?? null;
  }
}

/** Registers `stoa-look-at`. */
export function registerLookAt(aframe: AFrameAdapter): void {
  aframe.registerComponent<LookAtSettings, LookAtBehaviour>({
    name: "stoa-look-at",
    schema: { target: { type: "string", default: "" }, point: { type: "vec3", default: { x: 0, y: 0, z: 0 } } },
    create: (el) => new LookAtBehaviour(aframe, el),
  });
}
