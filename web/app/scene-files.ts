// Lists the chunks of a scene's page in the built page, so that the browser can preload them while the user types a
// name.
import type { Plugin, Rolldown } from "vite";

/** Modules that a scene's page imports after the name form. */
const ENTRIES = [/\/node_modules\/aframe\//, /\/aframe\/src\/index\.ts$/, /\/client\/src\/mqtt-connection\.ts$/];

/** Writes their addresses into `<meta name="stoa-scene-files">`. */
export function sceneFiles(): Plugin {
  return {
    name: "stoa-scene-files",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const content = [...needed(chunks)].map((file) => `/${file}`).join(" ");
        return [{ tag: "meta", attrs: { name: "stoa-scene-files", content }, injectTo: "head" }];
      },
    },
  };
}

/** The entries with all chunks that they import. */
function needed(chunks: readonly Rolldown.OutputChunk[]): Set<string> {
  const found = new Set<string>();
  const take = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    for (const further of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) take(further);
  };
  for (const { fileName, facadeModuleId, isDynamicEntry } of chunks) {
    if (isDynamicEntry && ENTRIES.some((entry) => entry.test(facadeModuleId ?? ""))) take(fileName);
  }
  for (const { fileName, isEntry } of chunks) if (isEntry) found.delete(fileName);
  return found;
}
