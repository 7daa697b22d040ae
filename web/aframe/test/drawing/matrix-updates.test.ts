import { Group, Matrix4, Mesh, Object3D, PerspectiveCamera, Scene, SkinnedMesh, Vector3 } from "three";
import { expect, test } from "vitest";
import { updateMatricesOnChange } from "../../src/drawing/matrix-updates.ts";
import { CALM_FRAMES, CALM_TURNS } from "../../src/limits.ts";
import { stubAFrame } from "../stub-aframe.ts";

function family() {
  const [scene, parent, child] = [new Scene(), new Group(), new Mesh()];
  scene.add(parent.add(child));
  const moved = { times: 0 };
  for (const object of [scene, parent]) updateMatricesOnChange(stubAFrame(), object);
  const count = () => {
    moved.times += 1;
  };
  updateMatricesOnChange(stubAFrame(), child, { moved: count });
  const frame = () => {
    scene.updateMatrixWorld();
    return new Vector3().setFromMatrixPosition(child.matrixWorld).x;
  };
  return { scene, parent, child, moved, frame };
}

test("the matrix of an unmoved object is computed only once", () => {
  const { moved, frame } = family();
  frame();
  frame();
  frame();
  expect(moved.times).toBe(1);
});

test("reading a world position doesn't count as a move", () => {
  const { scene, child, moved, frame } = family();
  const camera = new PerspectiveCamera();
  scene.add(camera);
  frame();
  for (let at = 0; at < 3; at += 1) {
    camera.getWorldPosition(new Vector3());
    child.getWorldPosition(new Vector3());
    frame();
  }
  expect(moved.times).toBe(1);
});

test("a changed position, rotation or scale of an object or its parent updates its world matrix", () => {
  const { parent, child, frame } = family();
  child.position.x = 1;
  expect(frame()).toBe(1);
  parent.position.x = 10;
  expect(frame()).toBe(11);
  parent.rotation.y = Math.PI;
  expect(frame()).toBeCloseTo(9, 6);
  parent.scale.setScalar(2);
  expect(frame()).toBeCloseTo(8, 6);
});

test.each([
  ["position", ["x", "y", "z"]],
  ["quaternion", ["x", "y", "z", "w"]],
  ["scale", ["x", "y", "z"]],
] as const)("a change of a single number of the %s updates the matrix", (part, axes) => {
  for (const axis of axes) {
    const { child, moved, frame } = family();
    child.quaternion.set(0.5, 0.5, 0.5, 0.5);
    frame();
    const { times } = moved;
    Object.assign(child[part], { [axis]: 0.25 });
    frame();
    expect(moved.times, axis).toBe(times + 1);
    expect(child.matrix.equals(new Matrix4().compose(child.position, child.quaternion, child.scale)), axis).toBe(true);
  }
});

test("the first move of a resting object shows within the check interval, and later ones in each frame", () => {
  const [scene, child] = [new Scene(), new Mesh()];
  scene.add(child);
  updateMatricesOnChange(stubAFrame(), scene);
  updateMatricesOnChange(stubAFrame(), child, { rests: true });
  const placeAfter = (frames: number): number => {
    for (let frame = 0; frame < frames; frame += 1) scene.updateMatrixWorld();
    return child.matrixWorld.elements[12] ?? Number.NaN;
  };
  placeAfter(CALM_FRAMES + CALM_TURNS);
  // Tries every phase of the check interval: some phase waits longer than a frame, and none longer than the interval.
  const waits = Array.from({ length: CALM_TURNS }, (_, at) => {
    child.position.x = at + 1;
    let frames = 1;
    while (placeAfter(1) !== at + 1) frames += 1;
    const follows = [at + 1.25, at + 1.5].map((x) => {
      child.position.x = x;
      return placeAfter(1) === x;
    });
    expect(follows).toEqual([true, true]);
    // One frame later than the last time, and so on through all phases.
    placeAfter(CALM_FRAMES + CALM_TURNS - ((frames + 2 + CALM_FRAMES) % CALM_TURNS) + 1);
    return frames;
  });
  expect(Math.max(...waits)).toBeLessThanOrEqual(CALM_TURNS);
  expect(Math.max(...waits)).toBeGreaterThan(1);
});

test("a change of parent updates the world matrix", () => {
  const { scene, child, frame } = family();
  frame();
  const other = new Group();
  other.position.x = 5;
  scene.add(other);
  updateMatricesOnChange(stubAFrame(), other);
  frame();
  other.add(child);
  expect(frame()).toBe(5);
});

test("reading a parent's world matrix between two frames doesn't keep its children from updating", () => {
  const { parent, frame } = family();
  frame();
  parent.position.x = 3;
  parent.updateWorldMatrix(true, false);
  expect(frame()).toBe(3);
});

test("a manually set matrix is used in place of the position", () => {
  const { child, frame } = family();
  frame();
  child.matrixAutoUpdate = false;
  child.matrix.setPosition(7, 0, 0);
  child.matrixWorldNeedsUpdate = true;
  child.position.x = 1;
  expect(frame()).toBe(7);
});

test("a manually set world matrix is kept when the parent moves", () => {
  const { parent, child, frame } = family();
  frame();
  child.matrixWorldAutoUpdate = false;
  child.matrixWorld.setPosition(7, 0, 0);
  parent.position.x = 1;
  expect(frame()).toBe(7);
});

test("a skinned mesh keeps its own matrix update", () => {
  const skinned = new SkinnedMesh();
  updateMatricesOnChange(stubAFrame(), skinned);
  expect(skinned.updateMatrixWorld).toBe(SkinnedMesh.prototype.updateMatrixWorld);
  expect(SkinnedMesh.prototype.updateMatrixWorld).not.toBe(Object3D.prototype.updateMatrixWorld);
});
