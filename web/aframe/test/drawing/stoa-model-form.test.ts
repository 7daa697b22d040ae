import { BoxGeometry, Group, Mesh } from "three";
import { expect, test } from "vitest";
import { ModelAdjustmentsBehaviour } from "../../src/drawing/stoa-model-form.ts";
import type { ModelAdjustments } from "../../src/mapping/model.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

function form() {
  const el = stubEntity(stubScene());
  const lid = new Mesh(new BoxGeometry(2, 1, 0));
  lid.name = "lid";
  lid.morphTargetDictionary = { smile: 0 };
  lid.morphTargetInfluences = [0.1];
  const model = new Group().add(lid);
  el.setObject3D("mesh", model);
  const one = new ModelAdjustmentsBehaviour(stubAFrame(), el);
  const set = (form: Partial<ModelAdjustments>) => one.update({ form: JSON.stringify(form) });
  return { el, model, lid, one, set };
}

test("morph targets and parts are set, and go back to what the file says", () => {
  const { lid, one, set } = form();
  const turned = { x: 0, y: 1, z: 0, w: 0 };
  set({ morphs: { smile: 0.8, frown: 1 }, parts: { lid: { position: { x: 1, y: 2, z: 3 }, rotation: turned } } });
  expect(lid.morphTargetInfluences).toEqual([0.8]);
  expect([lid.position.toArray(), lid.quaternion.toArray()]).toEqual([
    [1, 2, 3],
    [0, 1, 0, 0],
  ]);
  set({ morphs: {} });
  expect([lid.morphTargetInfluences, lid.position.toArray()]).toEqual([[0.1], [0, 0, 0]]);
  one.remove();
});

test("a model fits into its container, with its proportions or without", () => {
  const { model, one, set } = form();
  set({ container: { x: 1, y: 1, z: 1, uniform: true } });
  expect(model.scale.toArray()).toEqual([0.5, 0.5, 0.5]);
  set({ container: { x: 1, y: 3, z: 1, uniform: false } });
  expect(model.scale.toArray()).toEqual([0.5, 3, 0.5]);
  one.remove();
  expect(model.scale.toArray()).toEqual([1, 1, 1]);
});

test("a model that loads later gets its adjustments then", () => {
  const { el, model, set } = form();
  el.removeObject3D("mesh");
  set({ container: { x: 4, y: 4, z: 4, uniform: true } });
  expect(model.scale.x).toBe(1);
  el.setObject3D("mesh", model);
  el.emit("model-loaded");
  expect(model.scale.x).toBe(2);
});
