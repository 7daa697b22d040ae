import { type Group, Mesh, Scene, SkinnedMesh } from "three";
import { beforeEach, expect, test } from "vitest";
import { ShadowRenewal } from "../../src/drawing/shadow-renewal.ts";
import { SHADOW_FRAMES } from "../../src/limits.ts";

let scene: Scene;
let map: { autoUpdate: boolean; needsUpdate: boolean };
let renewal: ShadowRenewal;

beforeEach(() => {
  scene = new Scene();
  map = { autoUpdate: true, needsUpdate: false };
  renewal = new ShadowRenewal(scene, map);
});

/** The number of frames with redrawn shadows. */
function drawn(frames: number, each: (frame: number) => void = () => undefined): number {
  let count = 0;
  for (let frame = 0; frame < frames; frame += 1) {
    each(frame);
    scene.updateMatrixWorld();
    renewal.handleFrame();
    if (map.needsUpdate) count += 1;
    map.needsUpdate = false;
  }
  return count;
}

function caster(object: Mesh | Group): void {
  object.castShadow = true;
  scene.add(object);
}

test("the shadows of a still scene are redrawn once a second", () => {
  caster(new Mesh());
  // The first second contains the redraws of new objects.
  drawn(2 * SHADOW_FRAMES);
  expect(drawn(SHADOW_FRAMES)).toBe(1);
  expect(map.autoUpdate).toBe(false);
});

test("a reported move redraws the shadows once, in the same frame", () => {
  drawn(SHADOW_FRAMES / 2);
  renewal.stir();
  expect(drawn(1)).toBe(1);
  expect(drawn(1)).toBe(0);
});

test("the shadows of a skinned mesh are redrawn in each frame", () => {
  caster(new SkinnedMesh());
  drawn(SHADOW_FRAMES);
  expect(drawn(SHADOW_FRAMES)).toBe(SHADOW_FRAMES);
});

test("a moving object's shadow is redrawn in each frame after a second, until a second after it stops", () => {
  const model = new Mesh();
  caster(model);
  drawn(3 * SHADOW_FRAMES);
  const move = () => {
    model.position.x += 1;
  };
  drawn(SHADOW_FRAMES, move);
  expect(drawn(SHADOW_FRAMES, move)).toBe(SHADOW_FRAMES);
  drawn(2 * SHADOW_FRAMES);
  expect(drawn(SHADOW_FRAMES)).toBe(1);
});

test("remove returns shadow updates to three.js", () => {
  renewal.remove();
  expect(map.autoUpdate).toBe(true);
});
