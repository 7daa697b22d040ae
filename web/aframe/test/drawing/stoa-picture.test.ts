import * as THREE from "three";
import { expect, test } from "vitest";
import { type EffectsModuleLoader, PostProcessingBehaviour } from "../../src/drawing/stoa-picture.ts";
import { effectsOf } from "../../src/mapping/post-processing.ts";
import { stubAFrame, stubScene } from "../stub-aframe.ts";

function picture() {
  const scene = stubScene();
  const drawn: string[] = [];
  const renderer = {
    xr: { isPresenting: false },
    localClippingEnabled: false,
    sortObjects: true,
    render: (_scene: unknown, _camera: unknown) => void drawn.push("plain"),
    getRenderTarget: () => null,
    getSize: (into: THREE.Vector2) => into.set(640, 400),
    getPixelRatio: () => 1,
  };
  Object.assign(scene, { renderer });
  let loads = 0;
  const composer = {
    render: () => void drawn.push("effects"),
    setSize: () => undefined,
    dispose: () => void drawn.push("disposed"),
  };
  const load: EffectsModuleLoader = () => {
    loads += 1;
    return Promise.resolve({ composerOf: () => composer });
  };
  const draw = () => renderer.render(scene.object3D, new THREE.PerspectiveCamera());
  return {
    behaviour: new PostProcessingBehaviour(stubAFrame(), scene, load),
    renderer,
    drawn,
    draw,
    loads: () => loads,
  };
}

const PLAIN = { effects: [], localClipping: false, sortObjects: true };
const BLOOM = { ...PLAIN, effects: effectsOf({ bloom: {} }) };

test("a scene without effects loads none and draws as ever", () => {
  const { behaviour, drawn, draw, loads } = picture();
  behaviour.update(PLAIN);
  draw();
  expect([loads(), drawn]).toEqual([0, ["plain"]]);
});

test("effects are drawn on the page, but not in a headset", async () => {
  const { behaviour, renderer, drawn, draw } = picture();
  behaviour.update(BLOOM);
  await Promise.resolve();
  draw();
  renderer.xr.isPresenting = true;
  draw();
  expect(drawn).toEqual(["effects", "plain"]);
});

test("effects disabled while their module loads are not drawn, and remove disposes the composer", async () => {
  const { behaviour, drawn, draw } = picture();
  behaviour.update(BLOOM);
  behaviour.update(PLAIN);
  await Promise.resolve();
  draw();
  behaviour.update({ ...BLOOM });
  await Promise.resolve();
  behaviour.remove();
  draw();
  expect(drawn).toEqual(["plain", "disposed", "plain"]);
});

test("an empty string enables an effect with its defaults, and unknown effects are ignored", () => {
  expect(effectsOf({ fxaa: "", glitch: true, bloom: null, sepia: {} }).map(({ name }) => name)).toEqual([
    "glitch",
    "fxaa",
  ]);
  expect(effectsOf({ bloom: { strength: 1e9 } })[0]?.settings).toMatchObject({ strength: 10, radius: 0.1 });
});
