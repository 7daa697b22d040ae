import { expect, test, vi } from "vitest";
import { LodBehaviour } from "../../src/drawing/stoa-lod.ts";
import { ModelBehaviour } from "../../src/drawing/stoa-model.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

function lod() {
  const el = stubEntity(stubScene());
  const library = () => {
    throw new Error("nothing is loaded here");
  };
  const model = new ModelBehaviour(stubAFrame(), el, library);
  const shown = vi.spyOn(model, "showDetail").mockImplementation(() => undefined);
  Object.assign(el, { components: { "stoa-model": { behaviour: model } } });
  const one = new LodBehaviour(stubAFrame(), el);
  one.update({ detailedUrl: "fine.glb", detailedDistance: 10, updateRate: 300, retainCache: true });
  const at = (distanceM: number, timeMs: number) => {
    el.object3D.position.set(0, 1.6, 3 - distanceM);
    el.sceneEl?.object3D.updateMatrixWorld(true);
    one.tick(timeMs);
    return shown.mock.lastCall;
  };
  return { one, at, shown };
}

test("the detailed model is shown nearby and the plain one far away, with hysteresis between", () => {
  const { at } = lod();
  expect(at(50, 0)).toEqual([null, true]);
  expect(at(9, 400)).toEqual(["fine.glb", true]);
  expect(at(10.5, 800)).toEqual(["fine.glb", true]);
  expect(at(11.5, 1_200)).toEqual([null, true]);
});

test("the distance is checked at updateRate, and remove restores the plain model", () => {
  const { at, one, shown } = lod();
  at(9, 0);
  at(50, 299);
  expect(shown).toHaveBeenCalledTimes(1);
  one.remove();
  expect(shown.mock.lastCall).toEqual([null, false]);
});
