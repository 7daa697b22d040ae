import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      { test: { name: "client", root: "client", include: ["test/**/*.test.ts"], environment: "node" } },
      { test: { name: "aframe", root: "aframe", include: ["test/**/*.test.ts"], environment: "happy-dom" } },
      { test: { name: "app", root: "app", include: ["test/**/*.test.ts"], environment: "happy-dom" } },
    ],
  },
});
