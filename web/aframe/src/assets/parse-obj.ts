/** Parses Wavefront `.obj` files with optional `.mtl` materials. */
import { MTLLoader } from "three/addons/loaders/MTLLoader.js";
import { OBJLoader } from "three/addons/loaders/OBJLoader.js";
import { FileDependencyLoader, type ParseContext, type ParsedFile } from "./parse-context.ts";

/** A picture in an `.mtl`: the line's last word, after any options. */
const PICTURE = /^\s*(?:map_\w+|bump|disp|decal|norm)\s.*?(\S+)\s*$/gim;

/** Parses an `.obj`. `parsing.base` is the URL of its `.mtl`, or the file's own URL without one. */
export async function parseObj(bytes: Uint8Array<ArrayBuffer>, parsing: ParseContext): Promise<ParsedFile> {
  const files = new FileDependencyLoader(parsing);
  try {
    const loader = new OBJLoader(files.manager);
    if (parsing.base !== parsing.url) {
      const text = new TextDecoder().decode(await files.fetch(parsing.base));
      await files.prepare([...text.matchAll(PICTURE)].map(([, name = ""]) => name));
      const materials = new MTLLoader(files.manager).parse(
        text,
        parsing.base.slice(0, parsing.base.lastIndexOf("/") + 1),
      );
      materials.preload();
      await files.loaded();
      loader.setMaterials(materials);
    }
    return { root: loader.parse(new TextDecoder().decode(bytes)) };
  } finally {
    files.dispose();
  }
}
