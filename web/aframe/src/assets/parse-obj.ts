/** Wavefront's `.obj`, with the materials of an `.mtl` where one is named. */
import { MTLLoader } from "three/addons/loaders/MTLLoader.js";
import { OBJLoader } from "three/addons/loaders/OBJLoader.js";
import { FilesWithin, type Parsed, type Parsing } from "./parse-context.ts";

/** A picture that an `.mtl` names: its line's last word, after options. */
const PICTURE = /^\s*(?:map_\w+|bump|disp|decal|norm)\s.*?(\S+)\s*$/gim;

/** Parses one. `parsing.base` is the address of its materials; its own address: there are none. */
export async function parseObj(bytes: Uint8Array<ArrayBuffer>, parsing: Parsing): Promise<Parsed> {
  const files = new FilesWithin(parsing);
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
