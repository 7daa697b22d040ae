import { expect, test } from "vitest";
import { markOf } from "../../src/mapping/ar-hit-test.ts";

const BASE = "https://realm.local/public/lobby";

test("a scene without ar-hit-test, or with it disabled, reports no hits and has no custom reticle", () => {
  expect(markOf(undefined, BASE)).toEqual({ tells: false, src: "", width: 0.5, height: 0.5 });
  expect(markOf({ enabled: false, src: "store/mark.png" }, BASE)).toMatchObject({ tells: false, src: "" });
});

test("ARENA's reticle picture means the built-in ring, and any other picture is used in its mapSize", () => {
  expect(markOf({ enabled: true, src: "static/images/reticle-gray.png" }, BASE)).toMatchObject({
    tells: true,
    src: "",
  });
  const own = markOf({ enabled: true, src: "store/users/ada/mark.png", mapSize: "1 0.25" }, BASE);
  expect(own).toEqual({ tells: true, src: "https://realm.local/store/users/ada/mark.png", width: 1, height: 0.25 });
  expect(markOf({ enabled: true, mapSize: "0.3" }, BASE)).toMatchObject({ width: 0.3, height: 0.3 });
});

test("an unsafe reticle picture is dropped, and an invalid mapSize is replaced or clamped", () => {
  const odd = { enabled: true, src: "javascript:alert(1)", mapSize: "wide 1e9" };
  expect(markOf(odd, BASE)).toEqual({ tells: true, src: "", width: 0.5, height: 10 });
});
