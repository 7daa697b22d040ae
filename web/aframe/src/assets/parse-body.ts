/** Parses avatar heads: glTF files within the triangle limit of avatars. */
import type { Three } from "../aframe.ts";
import { BODY_TRIANGLES_MAX } from "../limits.ts";
import { TooLargeError } from "./asset-error.ts";
import type { ParseContext, ParsedFile } from "./parse-context.ts";
import { parseGltf } from "./parse-gltf.ts";

/** Parses a glTF head. Errors: {@link TooLargeError} above the triangle limit of avatars. */
export async function parseHead(bytes: Uint8Array<ArrayBuffer>, parsing: ParseContext): Promise<ParsedFile> {
  const parsed = await parseGltf(bytes, parsing);
  checkTriangles(parsed.root);
  return parsed;
}

/** Rejects a model above the triangle limit of avatars. Errors: {@link TooLargeError}. */
export function checkTriangles(model: Three.Object3D): void {
  let triangles = 0;
  model.traverse((part) => {
    if (!isMesh(part)) return;
    const { geometry } = part;
    triangles += (geometry.index?.count ?? geometry.getAttribute("position")?.count ?? 0) / 3;
  });
  if (triangles > BODY_TRIANGLES_MAX) throw new TooLargeError("triangles", Math.round(triangles), BODY_TRIANGLES_MAX);
}

function isMesh(part: Three.Object3D): part is Three.Mesh {
  return "isMesh" in part;
}
