/** Parses scenes in three.js's JSON format, without custom shaders and with limits on parts and geometries. */
import { THREE_PARTS_MAX } from "../limits.ts";
import { AssetError } from "./asset-error.ts";
import { FileDependencyLoader, type ParseContext, type ParsedFile } from "./parse-context.ts";
import { boundedScene, picturesOf } from "./three-json.ts";

/** Parses the output of three.js's `toJSON`. */
export async function parseThree(bytes: Uint8Array<ArrayBuffer>, parsing: ParseContext): Promise<ParsedFile> {
  const { THREE } = parsing.aframe;
  const json = boundedScene(new TextDecoder().decode(bytes), THREE_PARTS_MAX);
  const files = new FileDependencyLoader(parsing);
  try {
    await files.prepare(picturesOf(json));
    const loader = new THREE.ObjectLoader(files.manager);
    const root = await loader.parseAsync(json);
    if (!("isObject3D" in root)) throw new AssetError("unreadable", "not a three.js scene");
    return { root, animations: root.animations };
  } finally {
    files.dispose();
  }
}
