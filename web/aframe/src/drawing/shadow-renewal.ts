/**
 * Decides when shadow maps are redrawn. three.js redraws them in every frame; without movement of a caster or light,
 * an occasional redraw is enough.
 */
import type { Three } from "../aframe.ts";
import { SHADOW_FRAMES } from "../limits.ts";

/** The used part of three.js's `WebGLShadowMap`. */
export interface ShadowMap {
  autoUpdate: boolean;
  needsUpdate: boolean;
}

/** Redraws one scene's shadow maps after reported movements of shadow casters and lights. */
export class ShadowRenewal {
  readonly #scene: Three.Object3D;
  readonly #map: ShadowMap | undefined;
  #isStirred = true;
  #frames = 0;
  /** Whether a caster moves without reports, such as by bones and clips. */
  #isRestless = false;
  /** Hash of all visible casters' matrices at the last check. */
  #lastHash = 0;

  constructor(scene: Three.Object3D, map: ShadowMap | undefined) {
    this.#scene = scene;
    this.#map = map;
    if (map) map.autoUpdate = false;
  }

  remove(): void {
    if (this.#map) this.#map.autoUpdate = true;
  }

  /** Reports that a shadow caster or light was added, removed, moved or changed. */
  stir(): void {
    this.#isStirred = true;
  }

  /** Call once per frame, before rendering. */
  handleFrame(): void {
    if (this.#map === undefined) return;
    this.#frames = (this.#frames + 1) % SHADOW_FRAMES;
    if (this.#frames === 0) {
      this.#checkCasters();
      this.#isStirred = true;
    }
    if (this.#isStirred || this.#isRestless) this.#map.needsUpdate = true;
    this.#isStirred = false;
  }

  /** Sets `#isRestless`: skinned, morphing and instanced casters count as moving, others are compared by the hash. */
  #checkCasters(): void {
    let [stands, bending] = [0, false];
    this.#scene.traverseVisible((object) => {
      if (!object.castShadow) return;
      bending ||= bends(object);
      object.matrixWorld.elements.forEach((part, at) => {
        stands = (stands * 31 + part * (at + 1)) % 1_000_003;
      });
    });
    this.#isRestless = bending || stands !== this.#lastHash;
    this.#lastHash = stands;
  }
}

/** Whether the object deforms by itself or is instanced. */
function bends(object: Three.Object3D & { readonly morphTargetInfluences?: readonly number[] | undefined }): boolean {
  return "isSkinnedMesh" in object || "isInstancedMesh" in object || object.morphTargetInfluences !== undefined;
}
