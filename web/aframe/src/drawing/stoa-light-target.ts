/** Aims a light at another object. Page: docs/components/stoa-light-target.md */
import { type AFrameAdapter, asEntity, type Behaviour, type Entity, type Three } from "../aframe.ts";
import { SEARCH_INTERVAL_MS } from "../limits.ts";

/** The settings of `stoa-light-target`: the target's object id. */
export interface LightTargetSettings {
  readonly target: string;
}

/** Sets one light's target. A-Frame looks targets up by DOM id, which objects don't have. */
export class LightTargetBehaviour implements Behaviour<LightTargetSettings> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  #target = "";
  #found: Element | null = null;
  #searchedMs = Number.NEGATIVE_INFINITY;
  #before: Three.Object3D | null = null;

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#aframe = aframe;
    this.#el = el;
  }

  update({ target }: LightTargetSettings): void {
    this.remove();
    this.#target = target;
    this.#searchedMs = Number.NEGATIVE_INFINITY;
  }

  tick(timeMs: number): void {
    if (!this.#found?.isConnected) this.#search(timeMs);
    const light = this.#light;
    if (!light || !this.#found) return;
    const target = asEntity(this.#found).object3D;
    if (light.target === target) return;
    this.#before ??= light.target;
    light.target = target;
  }

  remove(): void {
    const light = this.#light;
    if (light && this.#before) light.target = this.#before;
    [this.#before, this.#found] = [null, null];
  }

  get #light(): Three.DirectionalLight | Three.SpotLight | null {
    const light = this.#el.getObject3D("light");
    const { DirectionalLight, SpotLight } = this.#aframe.THREE;
    return light instanceof DirectionalLight || light instanceof SpotLight ? light : null;
  }

  #search(timeMs: number): void {
    this.#found = null;
    if (timeMs - this.#searchedMs < SEARCH_INTERVAL_MS) return;
    this.#searchedMs = timeMs;
    this.#found = this.#el.sceneEl?.querySelector(`[data-object-id="${CSS.escape(this.#target)}"]`) ?? null;
  }
}

/** Registers `stoa-light-target`. */
export function registerLightTarget(aframe: AFrameAdapter): void {
  aframe.registerComponent<LightTargetSettings, LightTargetBehaviour>({
    name: "stoa-light-target",
    schema: { target: { type: "plain", default: "" } },
    create: (el) => new LightTargetBehaviour(aframe, el),
  });
}
