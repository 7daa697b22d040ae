import { defineConfig } from "vite";
import { compressed } from "./compressed.ts";
import { sceneFiles } from "./scene-files.ts";
import { shell } from "./shell.ts";

export default defineConfig({
  // Absolute: the same page is served for every `/<namespace>/<scene>`.
  base: "/",
  resolve: {
    alias: Object.fromEntries(
      ["ndarray", "ndarray-lanczos", "ndarray-pixels"].map((name) => [
        name,
        new URL("src/editor/models/pixel-library-stub.ts", import.meta.url).pathname,
      ]),
    ),
  },
  plugins: [sceneFiles(), shell(), compressed()],
  // Audio worklets have no `self`, which the default format needs.
  worker: { format: "es" },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // The realm's content security policy forbids `data:` scripts and fonts, and small files are cheap over one HTTP/2
    // session.
    assetsInlineLimit: 0,
    // Without this, Vite adds an inline script for old browsers.
    modulePreload: { polyfill: false },
    // Physics and splats load with the first body or splat, in chunks of 4.3 and 2.5 MB.
    chunkSizeWarningLimit: 4_400,
  },
});
