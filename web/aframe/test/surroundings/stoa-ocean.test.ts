import { Mesh } from "three";
import { expect, test } from "vitest";
import { OceanBehaviour } from "../../src/surroundings/stoa-ocean.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

const SEA = { width: 4, depth: 2, density: 4, amplitude: 0.1, amplitudeVariance: 0.3, speed: 1, speedVariance: 2 };

test("waves stay within their height, move with time, and remove takes the water away", () => {
  const el = stubEntity(stubScene());
  const ocean = new OceanBehaviour(stubAFrame(), el);
  ocean.update({ ...SEA, color: "#7ad2f7", opacity: 0.8 });
  const mesh = el.getObject3D("mesh");
  const heights = () => {
    const places = mesh instanceof Mesh ? mesh.geometry.getAttribute("position") : undefined;
    return Array.from({ length: places?.count ?? 0 }, (_, at) => places?.getZ(at) ?? 0);
  };
  ocean.tick(1_000);
  const before = heights();
  expect(before.length).toBe(25);
  expect(Math.max(...before.map(Math.abs))).toBeLessThanOrEqual(0.4);
  ocean.tick(2_000);
  expect(heights()).not.toEqual(before);
  ocean.remove();
  ocean.tick(3_000);
  expect(el.object3D.children).toEqual([]);
});
