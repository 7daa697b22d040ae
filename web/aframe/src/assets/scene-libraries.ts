/** Creates one file library per scene and emits its progress. */
import type { AFrameAdapter, SceneElement } from "../aframe.ts";
import { SceneGltfLoaderFactory } from "./decoders.ts";
import { AssetLibrary } from "./library.ts";
import { loadAsset } from "./load-asset.ts";
import { textureBytesMax } from "./texture-budget.ts";

/** Scene event of loading progress; its detail is a {@link LoadProgress}. */
export const PROGRESS = "stoa-progress";
/** Scene event at the end of a session's view, which uses no files any more. */
export const ENDED = "stoa-ended";

/** Counts of files: `loaded` have finished, including the `failed` ones. */
export interface LoadProgress {
  readonly loaded: number;
  readonly failed: number;
  readonly all: number;
}

/** Looks up the library of a scene. */
export type SceneLibraryLookup = (scene: SceneElement) => AssetLibrary;

/** Creates a library at a scene's first request. The library and the decoders' workers end with the view. */
export function librariesOf(aframe: AFrameAdapter): SceneLibraryLookup {
  const libraries = new WeakMap<SceneElement, AssetLibrary>();
  return (scene) => {
    const before = libraries.get(scene);
    if (before) return before;
    const decoders = new SceneGltfLoaderFactory(aframe, scene.renderer);
    const library = new AssetLibrary({
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
