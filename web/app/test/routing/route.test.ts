import { expect, it } from "vitest";
import { routeOf } from "../../src/routing/route.ts";

it.each([
  ["/", "", { page: "home" }],
  ["/owner", "#s3cret", { page: "owner", secret: "s3cret" }],
  ["/public/lobby", "", { page: "scene", scene: "public/lobby", view: "3d" }],
  ["/public/lobby/", "", { page: "scene", scene: "public/lobby", view: "3d" }],
  ["/lobby", "", { page: "scene", scene: "public/lobby", view: "3d" }],
  ["/trust", "", { page: "trust" }],
  ["/a/b/c", "", { page: "missing" }],
  ["/public/%2e%2e", "", { page: "missing" }],
] as const)("%s%s leads to its page", (pathname, hash, route) => {
  expect(routeOf({ pathname, hash })).toEqual(route);
});

it("an invitation, reset or join secret is read from the fragment of its page", () => {
  const of = (pathname: string, hash: string) => routeOf({ pathname, hash });
  expect(of("/alice/den", "#invite=a-b_C9")).toEqual({
    page: "scene",
    scene: "alice/den",
    view: "3d",
    invite: "a-b_C9",
  });
  expect(of("/alice/den", "#landmark")).toEqual({ page: "scene", scene: "alice/den", view: "3d" });
  expect(of("/account", "#reset=abc")).toEqual({ page: "account", link: { kind: "reset", secret: "abc" } });
  expect(of("/account", "#join=abc")).toEqual({ page: "account", link: { kind: "join", secret: "abc" } });
  expect(of("/account", "")).toEqual({ page: "account", link: undefined });
});
