/** When shadows are drawn anew: three.js does it in every frame, for everything that casts one; where nothing of that moves it needs no more than now and then. */
import type { Three } from "../aframe.ts";
import { SHADOW_FRAMES } from "../limits.ts";

/** What of three.js' shadows is used here. */
export interface ShadowMap {
  autoUpdate: boolean;
  needsUpdate: boolean;
}

/** Of one scene. Whoever knows that something that casts shadows, or a light, has moved says so. */
export class ShadowRenewal {
  readonly #scene: Three.Object3D;
  readonly #map: ShadowMap | undefined;
  #isStirred = true;
  #frames = 0;
  /** Whether something casts that moves by itself: nobody tells of bones and clips. */
  #isRestless = false;
  /** Where all stood that cast, a second ago, as one number. */
  #stood = 0;

  constructor(scene: Three.Object3D, map: ShadowMap | undefined) {
    this.#scene = scene;
    this.#map = map;
    if (map) map.autoUpdate = false;
  }

  remove(): void {
    if (this.#map) this.#map.autoUpdate = true;
  }

  /** Something that casts came, went, moved, or looks otherwise; or a light. */
  stir(): void {
    this.#isStirred = true;
  }

  /** Once a frame, before it is drawn. */
  handleFrame(): void {
    if (this.#map === undefined) return;
    this.#frames = (this.#frames + 1) % SHADOW_FRAMES;
    if (this.#frames === 0) {
      this.#look();
      this.#isStirred = true;
    }
    if (this.#isStirred || this.#isRestless) this.#map.needsUpdate = true;
    this.#isStirred = false;
  }

  /** Bones count as moving, the rest where it stands elsewhere than a second ago. */
  #look(): void {
    let [stands, bending] = [0, false];
    this.#scene.traverseVisible((object) => {
      if (!object.castShadow) return;
      bending ||= bends(object);
      object.matrixWorld.elements.forEach((part, at) => {
        stands = (stands * 31 + part * (at + 1)) % 1_000_003;
      });
    });
    this.#isRestless = bending || stands !== this.#stood;
    this.#stood = stands;
  }
}

/** Whether something changes its form by itself, or is many things in one. */
function bends(object: Three.Object3D & { readonly morphTargetInfluences?: readonly number[] | undefined }): boolean {
  return "isSkinnedMesh" in object || "isInstancedMesh" in object || object.morphTargetInfluences !== undefined;
}
