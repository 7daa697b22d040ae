import { defineConfig } from "vitest/config";

// The files of a project share a worker's modules, so that three.js and A-Frame load once and not for each file.
const shared = { include: ["test/**/*.test.ts"], isolate: false, pool: "threads" } as const;

export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: "client", root: "client", environment: "node" } },
      { test: { ...shared, name: "voice", root: "voice", environment: "node" } },
      { test: { ...shared, name: "aframe", root: "aframe", environment: "happy-dom" } },
      { test: { ...shared, name: "app", root: "app", environment: "happy-dom" } },
    ],
  },
});
