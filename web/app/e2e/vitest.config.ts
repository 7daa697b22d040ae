import { defineConfig } from "vitest/config";

// Each file is one story: a realm, its pages and its scripts, in order, on the ports that unmodified clients need.
// `cargo xtask test` runs each file in its own network namespace.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["**/*.test.ts"],
    // Run by hand, with a build of ARENA's web client: interop/README.md.
    exclude: process.env.ARENA_WEB_CORE === undefined ? ["arena-web-core.test.ts"] : [],
    fileParallelism: false,
    sequence: { concurrent: false },
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
