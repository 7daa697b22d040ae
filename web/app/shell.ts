// Builds the service worker with its list of files to precache and a name unique to the build.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "vite";

const STANDING = ["/", "/favicon.svg", "/manifest.webmanifest", "/icon-192.png"];

/** Writes `sw.js`. Other files of a scene are cached when they are first loaded. */
export function shell(): Plugin {
  let root = "";
  return {
    name: "stoa-shell",
    apply: "build",
    configResolved(config) {
      root = config.root;
    },
    async generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const entries = files.filter((file) => file.type === "chunk" && file.isEntry);
      const imported = entries.flatMap((file) => (file.type === "chunk" ? file.imports : []));
      const styles = files.map(({ fileName }) => fileName).filter((name) => name.endsWith(".css"));
      const kept = new Set([...entries.map(({ fileName }) => fileName), ...imported, ...styles]);
      const names = files.map(({ fileName }) => fileName).sort();
      const build = createHash("sha256").update(names.join()).digest("hex").slice(0, 16);
      const list = JSON.stringify([...STANDING, ...[...kept].sort().map((name) => `/${name}`)]);
      const source = await readFile(join(root, "service-worker.js"), "utf8");
      this.emitFile({
        type: "asset",
        fileName: "sw.js",
        source: source.replace("__BUILD__", build).replace("__SHELL__", list),
      });
    },
  };
}
