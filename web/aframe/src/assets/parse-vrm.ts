/** Parses VRM avatars. Bones belong to one person, so the asset isn't shared. Loads with the first VRM only. */
import { VRM, VRMLoaderPlugin, VRMUtils } from "@pixiv/three-vrm";
import { AssetError } from "./asset-error.ts";
import { checkTriangles } from "./parse-body.ts";
import type { ParseContext, ParsedFile } from "./parse-context.ts";
import { readGltf } from "./parse-gltf.ts";

/** Parses a `.vrm`. Errors: `TooLargeError`; `AssetError` `unreadable` for a glTF without a VRM. */
export async function parseVrm(bytes: Uint8Array<ArrayBuffer>, parsing: ParseContext): Promise<ParsedFile> {
  const { scene, userData } = await readGltf(bytes, parsing, (loader) =>
    loader.register((parser) => new VRMLoaderPlugin(parser)),
  );
  const dispose = (): void => VRMUtils.deepDispose(scene);
  try {
    checkTriangles(scene);
    const { vrm } = userData;
    if (!(vrm instanceof VRM)) throw new AssetError("unreadable", "the glTF file has no VRM extension");
    VRMUtils.removeUnnecessaryVertices(scene);
    VRMUtils.combineSkeletons(scene);
    VRMUtils.rotateVRM0(vrm);
    return { root: scene, copy: () => scene, vrm, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}
