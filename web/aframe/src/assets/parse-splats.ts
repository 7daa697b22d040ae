/** Gaussian splats, rendered by Spark. As the largest library here it loads with the first splat only. */
import { PackedSplats, SparkRenderer, SplatMesh } from "@sparkjsdev/spark";
import type { SceneElement } from "../aframe.ts";
import type { Parsed } from "./parse-context.ts";

/** A scene's splat renderer and the count of files using it. */
interface Drawer {
  readonly drawer: SparkRenderer;
  files: number;
}

const drawers = new WeakMap<SceneElement, Drawer>();

/** Parses `.ply`, `.spz`, `.splat` or `.ksplat`, detected from the bytes. */
export async function parseSplats(bytes: Uint8Array<ArrayBuffer>, url: string, scene: SceneElement): Promise<Parsed> {
  const splats = new PackedSplats({ fileBytes: bytes, fileName: new URL(url).pathname });
  await splats.initialized;
  const letGo = draw(scene);
  const copy = () => new SplatMesh({ packedSplats: splats, editable: true });
  return {
    root: copy(),
    copy,
    dispose() {
      splats.dispose();
      letGo();
    },
  };
}

/** All splats of a scene share a renderer, removed with the last file. */
function draw(scene: SceneElement): () => void {
  const one = drawers.get(scene) ?? { drawer: new SparkRenderer({ renderer: scene.renderer }), files: 0 };
  drawers.set(scene, one);
  if (one.files === 0) scene.object3D.add(one.drawer);
  one.files += 1;
  return () => {
    one.files -= 1;
    if (one.files === 0) one.drawer.removeFromParent();
  };
}
