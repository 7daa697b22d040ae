/** Gaussian splats, drawn by Spark: the largest library here, so it comes only with the first splat. */
import { PackedSplats, SparkRenderer, SplatMesh } from "@sparkjsdev/spark";
import type { SceneElement } from "../aframe.ts";
import type { Parsed } from "./parse-context.ts";

/** What draws the splats of a scene, and of how many files. */
interface Drawer {
  readonly drawer: SparkRenderer;
  files: number;
}

const drawers = new WeakMap<SceneElement, Drawer>();

/** Parses `.ply`, `.spz`, `.splat`, `.ksplat`: the bytes say which. */
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

/** One drawer for all splats of a scene, which goes with the last of them. */
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
