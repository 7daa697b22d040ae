/** Parses glTF 2.0 files with Draco, meshopt and KTX2 compression into an asset. */
import type { GLTF, GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { clone } from "three/addons/utils/SkeletonUtils.js";
import { gltfHeader } from "./gltf-header.ts";
import { FileDependencyLoader, type ParseContext, type ParsedFile } from "./parse-context.ts";

/** Parses a `.glb` or a `.gltf`. */
export async function parseGltf(bytes: Uint8Array<ArrayBuffer>, parsing: ParseContext): Promise<ParsedFile> {
  const { scene, scenes, animations } = await readGltf(bytes, parsing);
  const root = scene ?? scenes[0];
  // Each copy needs its own skeleton; three.js's plain `clone` shares the original's bones.
  return { root, animations, copy: () => clone(root) };
}

/** Parses into three.js's own result; `prepare` can register loader plugins. */
export async function readGltf(
  bytes: Uint8Array<ArrayBuffer>,
  parsing: ParseContext,
  prepare: (loader: GLTFLoader) => void = () => undefined,
): Promise<GLTF> {
  const { extensions, files: addresses } = gltfHeader(bytes);
  const files = new FileDependencyLoader(parsing);
  try {
    await files.prepare(addresses);
    const loader = await parsing.loaders.gltf(files.manager, extensions);
    prepare(loader);
    return await loader.parseAsync(bytes.buffer, folderOf(parsing.base));
  } finally {
    files.dispose();
  }
}

function folderOf(url: string): string {
  return url.slice(0, url.lastIndexOf("/") + 1);
}
