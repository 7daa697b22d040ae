/**
 * Creates the textures of one object. The pictures load through the scene's queue, with progress, budget and
 * broken-file markers.
 */
import type { AFrameAdapter, Entity, Three } from "../aframe.ts";
import { ObjectAssetLoader } from "./asset-request.ts";
import type { SceneLibraryLookup } from "./scene-libraries.ts";

/** A texture without a picture until its file has loaded. */
export interface RequestedTexture {
  readonly texture: Three.Texture;
  /** Frees the texture and cancels its request. */
  readonly release: () => void;
}

/** The textures of one object. */
export class ObjectTextureLoader {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #libraryOf: SceneLibraryLookup;
  readonly #requests: ObjectAssetLoader;

  constructor(aframe: AFrameAdapter, el: Entity, libraryOf: SceneLibraryLookup) {
    this.#aframe = aframe;
    this.#el = el;
    this.#libraryOf = libraryOf;
    this.#requests = new ObjectAssetLoader(aframe, el);
  }

  /**
   * Requests a texture. `onReady` runs each time the picture becomes visible: while the budget is exceeded, a far
   * picture is unloaded, and it loads again when near.
   */
  take(src: string, onReady: () => void = () => undefined): RequestedTexture {
    const { THREE } = this.#aframe;
    const texture = new THREE.Texture();
    const { sceneEl } = this.#el;
    let wanted = "";
    const show = (address: string): void => {
      wanted = address;
      new THREE.ImageLoader().load(address, (image) => {
        if (wanted !== address) return;
        texture.image = image;
        texture.needsUpdate = true;
        onReady();
      });
    };
    const unload = (): void => {
      wanted = "";
      // Without a picture and with version 0, three.js treats the texture as not loaded.
      texture.image = null;
      texture.version = 0;
      texture.dispose();
    };
    const release = sceneEl
      ? this.#requests.take(this.#libraryOf(sceneEl), {
          ...{ kind: "picture", src, onAway: unload },
          onReady: ({ address = "" }) => show(address),
        })
      : () => undefined;
    return {
      texture,
      release: () => {
        unload();
        release();
      },
    };
  }

  /** Removes the broken-file marker. */
  clear(): void {
    this.#requests.clear();
  }
}
