import { expect, it } from "vitest";
import { routeOf } from "../src/route.ts";

it.each([
  ["/", "", { page: "home" }],
  ["/owner", "#s3cret", { page: "owner", secret: "s3cret" }],
  ["/public/lobby", "", { page: "scene", scene: "public/lobby" }],
  ["/public/lobby/", "", { page: "scene", scene: "public/lobby" }],
  ["/lobby", "", { page: "scene", scene: "public/lobby" }],
  ["/a/b/c", "", { page: "missing" }],
  ["/public/%2e%2e", "", { page: "missing" }],
] as const)("%s%s leads to its page", (pathname, hash, route) => {
  expect(routeOf({ pathname, hash })).toEqual(route);
});
