/** Post-processing effects and renderer settings of a scene. Page: docs/components/stoa-picture.md */
import type { AFrameAdapter, Behaviour, SceneElement, Three } from "../aframe.ts";
import type { Effect } from "../mapping/post-processing.ts";
import type { Composer } from "./effects.ts";

export interface PostProcessingSettings {
  readonly effects: readonly Effect[];
  readonly localClipping: boolean;
  readonly sortObjects: boolean;
}

/** Imports the effects module. */
export type EffectsModuleLoader = () => Promise<typeof import("./effects.ts")>;

/** Renders one scene's picture. */
export class PostProcessingBehaviour implements Behaviour<PostProcessingSettings> {
  readonly #scene: SceneElement;
  readonly #load: EffectsModuleLoader;
  #composer: Composer | null = null;
  #plain: SceneElement["renderer"]["render"] | null = null;
  #effects: readonly Effect[] = [];
  readonly #size: Three.Vector2;
  readonly #sized: Three.Vector3;
  #drawnMs = 0;

  constructor(aframe: AFrameAdapter, scene: SceneElement, load: EffectsModuleLoader) {
    this.#scene = scene;
    this.#load = load;
    this.#size = new aframe.THREE.Vector2();
    this.#sized = new aframe.THREE.Vector3();
  }

  /** Whether an effect chain exists. A headset renders without it. */
  get isComposed(): boolean {
    return this.#composer !== null;
  }

  update({ effects, localClipping, sortObjects }: PostProcessingSettings): void {
    this.#clear();
    this.#effects = effects;
    Object.assign(this.#scene.renderer, { localClippingEnabled: localClipping, sortObjects });
    if (effects.length === 0) return;
    this.#load().then(
      ({ composerOf }) => {
        const { camera, renderer, object3D: scene } = this.#scene;
        if (this.#effects !== effects || !camera) return;
        this.#composer = composerOf({ renderer, scene, camera }, effects);
        this.#take();
      },
      // If the import fails, the scene renders without effects.
      () => undefined,
    );
  }

  remove(): void {
    this.#effects = [];
    this.#clear();
    Object.assign(this.#scene.renderer, { localClippingEnabled: false, sortObjects: true });
  }

  /**
   * Overrides `renderer.render`, which A-Frame calls directly. Only renders of the whole scene to the screen get
   * effects; a headset renders without.
   */
  #take(): void {
    const { renderer, object3D } = this.#scene;
    const plain = renderer.render.bind(renderer);
    this.#plain = renderer.render;
    let composing = false;
    renderer.render = (scene, camera) => {
      const whole = scene === object3D && renderer.getRenderTarget() === null && !renderer.xr.isPresenting;
      if (!whole || composing || !this.#composer) {
        plain(scene, camera);
        return;
      }
      composing = true;
      try {
        this.#compose(this.#composer);
      } finally {
        composing = false;
      }
    };
  }

  #compose(composer: Composer): void {
    const { renderer } = this.#scene;
    const { x: width, y: height } = renderer.getSize(this.#size);
    const ratio = renderer.getPixelRatio();
    const { x, y, z } = this.#sized;
    if (x !== width || y !== height || z !== ratio) composer.setSize(width, height, ratio);
    this.#sized.set(width, height, ratio);
    const nowMs = performance.now();
    composer.render(Math.min(100, nowMs - this.#drawnMs) / 1_000);
    this.#drawnMs = nowMs;
  }

  #clear(): void {
    if (this.#plain) this.#scene.renderer.render = this.#plain;
    this.#plain = null;
    this.#composer?.dispose();
    this.#composer = null;
    this.#sized.set(0, 0, 0);
  }
}

/** Registers `stoa-picture`. */
export function registerPicture(aframe: AFrameAdapter): void {
  aframe.registerComponent<PostProcessingSettings, PostProcessingBehaviour>({
    name: "stoa-picture",
    schema: {
      effects: { type: "plain", default: [] },
      localClipping: { type: "boolean", default: false },
      sortObjects: { type: "boolean", default: true },
    },
    create: (el) => {
      if (!el.sceneEl) throw new Error("stoa-picture must be inside an a-scene");
      return new PostProcessingBehaviour(aframe, el.sceneEl, () => import("./effects.ts"));
    },
  });
}
