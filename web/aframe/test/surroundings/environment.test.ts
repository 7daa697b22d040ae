import { expect, test } from "vitest";
import { PLAIN, surroundingsOf } from "../../src/surroundings/environment.ts";
import { PRESETS } from "../../src/surroundings/environment-presets.ts";

test.each([undefined, null, 7, { active: false, preset: "forest" }])("%j gives the plain sky", (presets) => {
  expect(surroundingsOf(presets)).toEqual(PLAIN);
});

test("a preset sets colours, ground and trees, and explicit settings override it", () => {
  expect(surroundingsOf({ preset: "forest" })).toMatchObject({
    skyType: "gradient",
    ground: { shape: "noise", color: "#937a24" },
    dressing: { kind: "trees", amount: 500 },
  });
  const own = { active: true, preset: "forest", skyColor: "#123456", skyType: "color", ground: "none", fog: 3 };
  expect(surroundingsOf(own)).toMatchObject({ sky: "#123456", skyType: "color", ground: { shape: "none" }, fog: 1 });
});

test("every preset has a sky, a light and a ground", () => {
  for (const preset of Object.keys(PRESETS)) {
    const { ground, lighting, sky } = surroundingsOf({ preset });
    expect([ground.shape !== "none", lighting !== "none", sky.startsWith("#")], preset).toEqual([true, true, true]);
  }
});

test("an unknown preset gives the plain sky", () => {
  expect(surroundingsOf({ active: true, preset: "constructor" })).toEqual(PLAIN);
});
