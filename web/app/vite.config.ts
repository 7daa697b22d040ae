import { defineConfig } from "vite";

export default defineConfig({
  // Absolute: the same page is served for every `/<namespace>/<scene>`.
  base: "/",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    // The realm's policy allows no `data:` scripts or fonts, and small files cost nothing over its one session.
    assetsInlineLimit: 0,
    // Vite would put an inline script for old browsers otherwise.
    modulePreload: { polyfill: false },
    // A-Frame and three.js are one chunk of about 1.2 MB, loaded only by the scene's page.
    chunkSizeWarningLimit: 1_500,
  },
});
