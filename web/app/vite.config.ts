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
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // The realm's policy allows no `data:` scripts or fonts, and small files cost nothing over its one session.
    assetsInlineLimit: 0,
    // Vite would put an inline script for old browsers otherwise.
    modulePreload: { polyfill: false },
    // Physics and splats, which come only with the first body or splat, are chunks of 2 and 2.5 MB.
    chunkSizeWarningLimit: 2_600,
  },
});
