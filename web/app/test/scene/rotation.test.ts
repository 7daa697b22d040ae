import { expect, it } from "vitest";
import { colorKey, numbersOf, withNumber } from "../../src/editor/objects/object-fields.ts";
import { degreesOf, quaternionOf } from "../../src/scene/rotation.ts";

it.each([
  [0, 0, 0],
  [30, 0, 0],
  [0, 135, 0],
  [0, 0, -80],
  [20, -40, 60],
] as const)("%i, %i, %i degrees survive a round trip through a quaternion", (x, y, z) => {
  const [a, b, c] = degreesOf(quaternionOf([x, y, z]));
  expect(a).toBeCloseTo(x, 6);
  expect(b).toBeCloseTo(y, 6);
  expect(c).toBeCloseTo(z, 6);
});

it("90 degrees about y are the quaternion with y and w of √½", () => {
  expect(quaternionOf([0, 90, 0])).toEqual([0, expect.closeTo(Math.SQRT1_2), 0, expect.closeTo(Math.SQRT1_2)]);
});

it("a rotation with a pitch of 90 degrees survives a round trip", () => {
  const there = quaternionOf([90, 30, 0]);
  const back = quaternionOf(degreesOf(there));
  there.forEach((part, i) => {
    expect(back[i]).toBeCloseTo(part, 4);
  });
});

it("changing one component keeps the other components, and NaN changes nothing", () => {
  const attributes = { position: { x: 1, y: 2, z: 3 } };
  expect(withNumber(attributes, "position", "y", 5)).toEqual({ position: { x: 1, y: 5, z: 3 } });
  expect(withNumber(attributes, "scale", "x", 2)).toEqual({ scale: { x: 2, y: 1, z: 1 } });
  expect(withNumber(attributes, "position", "y", Number.NaN)).toBeUndefined();
  expect(numbersOf({ rotation: { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 } }, "rotation").y).toBeCloseTo(90, 3);
});

it("an object's colour is found in the attribute of its type", () => {
  expect(colorKey({ object_type: "box", material: { color: "#F00" } })?.value).toBe("#ff0000");
  expect(colorKey({ object_type: "box" })?.patch("#123456")).toEqual({ material: { color: "#123456" } });
  expect(colorKey({ object_type: "light", color: "#00ff00" })?.patch("#123456")).toEqual({ color: "#123456" });
  for (const type of ["gltf-model", "pcd-model", "gaussian_splatting", "urdf-model"])
    expect(colorKey({ object_type: type }), type).toBeUndefined();
});
