import { fileURLToPath } from "node:url";

/** Build settings of the page under test; the test names the output folder. */
export const pageBuild = (outDir) => ({
  configFile: false,
  logLevel: "warn",
  root: fileURLToPath(new URL("page", import.meta.url)),
  base: "./",
  build: { outDir, emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 4_000, minify: false },
});
