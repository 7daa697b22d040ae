import { expect, test } from "vitest";
import { PLAIN, surroundingsOf } from "../src/environment.ts";

test.each([undefined, null, 7, { active: false, preset: "forest" }])("%j asks for the plain sky", (presets) => {
  expect(surroundingsOf(presets)).toEqual(PLAIN);
});

test("a preset has colours, and what is given beside it wins", () => {
  expect(surroundingsOf({ active: true, preset: "forest" }).ground).not.toBe("");
  const own = { active: true, preset: "forest", skyColor: "#123456", skyType: "color", ground: "none", fog: 3 };
  expect(surroundingsOf(own)).toEqual({ sky: "#123456", horizon: "#123456", ground: "", fog: 1 });
});

test("a preset nobody knows is the plain sky", () => {
  expect(surroundingsOf({ active: true, preset: "constructor" })).toEqual(PLAIN);
});
