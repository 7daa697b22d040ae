/** Parses Gaussian splats, which Spark renders. Spark is the largest library here and loads with the first splat. */
import { PackedSplats, SparkRenderer, SplatMesh } from "@sparkjsdev/spark";
import type { SceneElement } from "../aframe.ts";
import type { ParsedFile } from "./parse-context.ts";

/** A scene's splat renderer and the count of files using it. */
interface SharedSplatRenderer {
  readonly renderer: SparkRenderer;
  files: number;
}

const renderers = new WeakMap<SceneElement, SharedSplatRenderer>();

/** Parses `.ply` or `.spz`, detected from the bytes, or `.splat` or `.ksplat`, detected from the URL's extension. */
export async function parseSplats(
  bytes: Uint8Array<ArrayBuffer>,
  url: string,
  scene: SceneElement,
): Promise<ParsedFile> {
  const splats = new PackedSplats({ fileBytes: bytes, fileName: new URL(url).pathname });
  await splats.initialized;
  const release = share(scene);
  const copy = () => new SplatMesh({ packedSplats: splats, editable: true });
  return {
    root: copy(),
    copy,
    dispose() {
      splats.dispose();
      release();
    },
  };
}

/** Counts a file on the scene's splat renderer; the returned function removes the renderer with the last file. */
function share(scene: SceneElement): () => void {
  const shared = renderers.get(scene) ?? { renderer: new SparkRenderer({ renderer: scene.renderer }), files: 0 };
  renderers.set(scene, shared);
  if (shared.files === 0) scene.object3D.add(shared.renderer);
  shared.files += 1;
  return () => {
    shared.files -= 1;
    if (shared.files === 0) shared.renderer.removeFromParent();
  };
}
