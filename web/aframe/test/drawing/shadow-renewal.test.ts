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

test("where nothing moves shadows are drawn once, and then once a second", () => {
  caster(new Mesh());
  // The first second contains the redraws of new objects.
  drawn(2 * SHADOW_FRAMES);
  expect(drawn(SHADOW_FRAMES)).toBe(1);
  expect(map.autoUpdate).toBe(false);
});

test("what is told to have moved has its shadow in the same frame", () => {
  drawn(SHADOW_FRAMES / 2);
  renewal.stir();
  expect(drawn(1)).toBe(1);
  expect(drawn(1)).toBe(0);
});

test("bones are followed in each frame", () => {
  caster(new SkinnedMesh());
  drawn(SHADOW_FRAMES);
  expect(drawn(SHADOW_FRAMES)).toBe(SHADOW_FRAMES);
});

test("what moves by itself is followed in each frame from a second later on, and for a second longer", () => {
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

test("without it three.js draws them in each frame, as before", () => {
  renewal.remove();
  expect(map.autoUpdate).toBe(true);
});
