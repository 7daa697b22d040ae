/** One library of files for each scene of a page, and the scene's event of how far loading is. */
import type { AFrame, SceneElement } from "../aframe.ts";
import { Decoders } from "./decoders.ts";
import { Library } from "./library.ts";
import { loadAsset } from "./load-asset.ts";
import { textureBytesMax } from "./texture-budget.ts";

/** The scene's event of how far loading is; its detail is a {@link LoadProgress}. */
export const PROGRESS = "stoa-progress";
/** The scene's event of a session that is shown in it no more: its files are wanted by nobody. */
export const ENDED = "stoa-ended";

/** How many files are done with, how many of those are broken, and how many there are. */
export interface LoadProgress {
  readonly loaded: number;
  readonly failed: number;
  readonly all: number;
}

/** What gives the files of a scene. */
export type LibraryOf = (scene: SceneElement) => Library;

/** The files of each scene, as the page is made; they end with what is shown there, and the decoders' workers with them. */
export function librariesOf(aframe: AFrame): LibraryOf {
  const libraries = new WeakMap<SceneElement, Library>();
  return (scene) => {
    const before = libraries.get(scene);
    if (before) return before;
    const decoders = new Decoders(aframe, scene.renderer);
    const library = new Library({
      load: (name, signal, left) => loadAsset({ aframe, scene, decoders }, name, signal, left),
      onProgress: ({ settled, failed, all }) => {
        const progress: LoadProgress = { loaded: settled, failed, all };
        scene.emit(PROGRESS, progress, true);
      },
      textureBytesMax: textureBytesMax(navigator),
    });
    libraries.set(scene, library);
    const end = (): void => {
      libraries.delete(scene);
      decoders.dispose();
    };
    scene.addEventListener(ENDED, end, { once: true });
    return library;
  };
}
