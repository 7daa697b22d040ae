import { expect, it } from "vitest";
import { colorKey, numbersOf, withNumber } from "../../src/editor/objects/object-fields.ts";
import { degreesOf, quaternionOf } from "../../src/scene/rotation.ts";

it.each([
  [0, 0, 0],
  [30, 0, 0],
  [0, 135, 0],
  [0, 0, -80],
  [20, -40, 60],
] as const)("%i, %i, %i degrees survive the way there and back", (x, y, z) => {
  const [a, b, c] = degreesOf(quaternionOf([x, y, z]));
  expect(a).toBeCloseTo(x, 6);
  expect(b).toBeCloseTo(y, 6);
  expect(c).toBeCloseTo(z, 6);
});

it("a quarter turn about y is the quaternion that everybody knows", () => {
  expect(quaternionOf([0, 90, 0])).toEqual([0, expect.closeTo(Math.SQRT1_2), 0, expect.closeTo(Math.SQRT1_2)]);
});

it("straight up is no trap", () => {
  const there = quaternionOf([90, 30, 0]);
  const back = quaternionOf(degreesOf(there));
  there.forEach((part, i) => {
    expect(back[i]).toBeCloseTo(part, 4);
  });
});

it("one number is changed, the others stay", () => {
  const attributes = { position: { x: 1, y: 2, z: 3 } };
  expect(withNumber(attributes, "position", "y", 5)).toEqual({ position: { x: 1, y: 5, z: 3 } });
  expect(withNumber(attributes, "scale", "x", 2)).toEqual({ scale: { x: 2, y: 1, z: 1 } });
  expect(withNumber(attributes, "position", "y", Number.NaN)).toBeUndefined();
  expect(numbersOf({ rotation: { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 } }, "rotation").y).toBeCloseTo(90, 3);
});

it("a colour is found where the type has it", () => {
  expect(colorKey({ object_type: "box", material: { color: "#F00" } })?.value).toBe("#ff0000");
  expect(colorKey({ object_type: "box" })?.patch("#123456")).toEqual({ material: { color: "#123456" } });
  expect(colorKey({ object_type: "light", color: "#00ff00" })?.patch("#123456")).toEqual({ color: "#123456" });
  expect(colorKey({ object_type: "gltf-model" })).toBeUndefined();
});
