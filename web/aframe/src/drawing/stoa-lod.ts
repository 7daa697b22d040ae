/** Level of detail: a finer model at close range, ARENA's `gltf-model-lod`. Page: docs/components/stoa-lod.md */
import { type AFrameAdapter, type Behaviour, behaviourOf, type Entity, type Three } from "../aframe.ts";
import { LOD_HYSTERESIS, LOD_INTERVAL_MS_MIN } from "../limits.ts";
import { ModelBehaviour } from "./stoa-model.ts";

export interface LodSettings {
  readonly detailedUrl: string;
  /** In metres. */
  readonly detailedDistance: number;
  /** Milliseconds between two distance checks. */
  readonly updateRate: number;
  /** Whether the finer model stays loaded. */
  readonly retainCache: boolean;
}

/** Switches one object's level of detail. */
export class LodBehaviour implements Behaviour<LodSettings> {
  readonly #el: Entity;
  readonly #here: Three.Vector3;
  readonly #eyes: Three.Vector3;
  #settings: LodSettings | null = null;
  #isNear = false;
  #checkedMs = Number.NEGATIVE_INFINITY;

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#el = el;
    this.#here = new aframe.THREE.Vector3();
    this.#eyes = new aframe.THREE.Vector3();
  }

  update(settings: LodSettings): void {
    this.#settings = settings;
    this.#checkedMs = Number.NEGATIVE_INFINITY;
  }

  tick(timeMs: number): void {
    const camera = this.#el.sceneEl?.camera;
    if (!this.#settings || !camera) return;
    const { detailedUrl, detailedDistance, updateRate, retainCache } = this.#settings;
    if (timeMs - this.#checkedMs < Math.max(updateRate, LOD_INTERVAL_MS_MIN)) return;
    this.#checkedMs = timeMs;
    const distanceM = this.#el.object3D.getWorldPosition(this.#here).distanceTo(camera.getWorldPosition(this.#eyes));
    this.#isNear = distanceM < detailedDistance * (this.#isNear ? LOD_HYSTERESIS : 1);
    this.#model?.showDetail(this.#isNear ? detailedUrl : null, retainCache);
  }

  remove(): void {
    this.#settings = null;
    this.#model?.showDetail(null, false);
  }

  get #model(): ModelBehaviour | null {
    return behaviourOf(this.#el, "stoa-model", ModelBehaviour);
  }
}

/** Registers `stoa-lod`. */
export function registerLod(aframe: AFrameAdapter): void {
  aframe.registerComponent<LodSettings, LodBehaviour>({
    name: "stoa-lod",
    schema: {
      detailedUrl: { type: "string", default: "" },
      detailedDistance: { type: "number", default: 10 },
      updateRate: { type: "number", default: 333 },
      retainCache: { type: "boolean", default: false },
    },
    create: (el) => new LodBehaviour(aframe, el),
  });
}
