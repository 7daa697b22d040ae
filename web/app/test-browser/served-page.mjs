/** Serves the pages under test to a browser. */
import { fileURLToPath } from "node:url";
import { openBuilt } from "../../test-browser.mjs";

/** Opens a browser with the pages at `address`; `close` stops both. */
export function openBrowser() {
  return openBuilt((folder) => ({
    configFile: false,
    logLevel: "warn",
    root: fileURLToPath(new URL("page", import.meta.url)),
    base: "./",
    build: { outDir: folder, emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 4_000, minify: false },
  }));
}
