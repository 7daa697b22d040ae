import { fileURLToPath } from "node:url";

/** How the page under test is built: into a folder that the test names. */
export const pageBuild = (outDir) => ({
  configFile: false,
  logLevel: "warn",
  root: fileURLToPath(new URL("page", import.meta.url)),
  base: "./",
  build: { outDir, emptyOutDir: true, target: "es2022", chunkSizeWarningLimit: 4_000, minify: false },
});
