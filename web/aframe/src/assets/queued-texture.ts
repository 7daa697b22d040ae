/** Textures of one object whose pictures come by the scene's queue: the nearest first, counted, shown as broken where they are. */
import type { AFrame, Entity, Three } from "../aframe.ts";
import { AssetRequests } from "./asset-request.ts";
import type { LibraryOf } from "./scene-libraries.ts";

/** A texture, without a picture until that is there. */
export interface QueuedTexture {
  readonly texture: Three.Texture;
  /** Nobody wants it any more. */
  readonly release: () => void;
}

/** Asks for textures of one object. */
export class QueuedTextures {
  readonly #aframe: AFrame;
  readonly #el: Entity;
  readonly #libraryOf: LibraryOf;
  readonly #taker: AssetRequests;

  constructor(aframe: AFrame, el: Entity, libraryOf: LibraryOf) {
    this.#aframe = aframe;
    this.#el = el;
    this.#libraryOf = libraryOf;
    this.#taker = new AssetRequests(aframe, el);
  }

  /** `onReady` is told once the picture can be seen; it may go for a while, where others need the room. */
  take(src: string, onReady: () => void = () => undefined): QueuedTexture {
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
    const leave = (): void => {
      wanted = "";
      // Without a picture and a version three.js draws it as one that hasn't come yet.
      texture.image = null;
      texture.version = 0;
      texture.dispose();
    };
    const release = sceneEl
      ? this.#taker.take(this.#libraryOf(sceneEl), {
          ...{ kind: "picture", src, onAway: leave },
          onReady: ({ address = "" }) => show(address),
        })
      : () => undefined;
    return {
      texture,
      release: () => {
        leave();
        release();
      },
    };
  }

  /** What is broken is shown so no more. */
  clear(): void {
    this.#taker.clear();
  }
}
