import { Mesh } from "three";
import { expect, test } from "vitest";
import { ThicklineBehaviour, widthAt } from "../../src/drawing/stoa-thickline.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

const LINE = { color: "#ff0000", width: 5, styler: "default", inSpace: false };
const points = [
  { x: 0, y: 0, z: 0 },
  { x: 1, y: 0, z: 0 },
  { x: 1, y: 1, z: 0 },
];

test("a line is one mesh of two corners a point, and remove takes it away", () => {
  const el = stubEntity(stubScene());
  const line = new ThicklineBehaviour(stubAFrame(), el);
  line.update({ ...LINE, points });
  const mesh = el.getObject3D("stoa-thickline");
  expect(mesh instanceof Mesh && mesh.geometry.getAttribute("position").count).toBe(6);
  line.update({ ...LINE, points: points.slice(0, 1) });
  expect(el.object3D.children, "one point is no line").toEqual([]);
  line.update({ ...LINE, points });
  line.remove();
  expect(el.object3D.children).toEqual([]);
});

test.each([
  ["default", 1, 1, 1],
  ["grow", 0, 0.5, 1],
  ["shrink", 1, 0.5, 0],
  ["center-sharp", 0, 1, 0],
  ["center-smooth", 0, 1, 0],
  ["constructor", 1, 1, 1],
])("the styler %s sets the width at start, middle and end", (styler, ...widths) => {
  [0, 0.5, 1].forEach((share, at) => {
    expect(widthAt(styler, share)).toBeCloseTo(widths[at] ?? -1);
  });
});
