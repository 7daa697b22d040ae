/** The pages under test, in a browser. */
import { fileURLToPath } from "node:url";
import { openBuilt } from "../../test-browser.mjs";

/** A browser with the pages at `address`; `close` takes it all down. */
export function openBrowser() {
  return openBuilt((folder) => ({
    configFile: false,
    logLevel: "warn",
    root: fileURLToPath(new URL("page", import.meta.url)),
    base: "./",
    build: { outDir: folder, emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 4_000, minify: false },
  }));
}
