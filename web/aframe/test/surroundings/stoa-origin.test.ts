import { Box3, Vector3 } from "three";
import { expect, test } from "vitest";
import { ORIGIN_MARK_M } from "../../src/limits.ts";
import { OriginMarkerBehaviour } from "../../src/surroundings/stoa-origin.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

test("the origin marker lies flat with its arrows along x and z, and is drawn only if shown", () => {
  const el = stubEntity(stubScene());
  const origin = new OriginMarkerBehaviour(stubAFrame(), el);
  origin.update({ shown: false });
  expect(el.object3D.children.length).toBe(0);
  origin.update({ shown: true });
  el.object3D.updateMatrixWorld(true);
  const box = new Box3().setFromObject(el.object3D);
  const size = box.getSize(new Vector3());
  expect(size.y).toBeLessThan(0.001);
  expect(box.max.x).toBeCloseTo(ORIGIN_MARK_M, 5);
  expect(box.max.z).toBeCloseTo(ORIGIN_MARK_M, 5);
  expect(box.min.x).toBeCloseTo(-ORIGIN_MARK_M / 2, 5);
  origin.update({ shown: true });
  expect(el.object3D.children.length).toBe(1);
  origin.remove();
  expect(el.object3D.children.length).toBe(0);
});
