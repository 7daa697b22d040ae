import { expect, test } from "vitest";
import { markOf } from "../../src/mapping/ar-hit-test.ts";

const BASE = "https://realm.local/public/lobby";

test("a scene that says nothing of it has no mark, nor has one that switches it off", () => {
  expect(markOf(undefined, BASE)).toEqual({ tells: false, src: "", width: 0.5, height: 0.5 });
  expect(markOf({ enabled: false, src: "store/mark.png" }, BASE)).toMatchObject({ tells: false, src: "" });
});

test("ARENA's own picture is the ring, and another is itself in the size that is asked for", () => {
  expect(markOf({ enabled: true, src: "static/images/reticle-gray.png" }, BASE)).toMatchObject({
    tells: true,
    src: "",
  });
  const own = markOf({ enabled: true, src: "store/users/ada/mark.png", mapSize: "1 0.25" }, BASE);
  expect(own).toEqual({ tells: true, src: "https://realm.local/store/users/ada/mark.png", width: 1, height: 0.25 });
  expect(markOf({ enabled: true, mapSize: "0.3" }, BASE)).toMatchObject({ width: 0.3, height: 0.3 });
});

test("what is no picture and no size is none", () => {
  const odd = { enabled: true, src: "javascript:alert(1)", mapSize: "wide 1e9" };
  expect(markOf(odd, BASE)).toEqual({ tells: true, src: "", width: 0.5, height: 10 });
});
