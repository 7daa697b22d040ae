import * as THREE from "three";
import { expect, test } from "vitest";
import { navMeshOf } from "../../src/locomotion/nav-mesh.ts";
import { stubAFrame } from "../stub-aframe.ts";

/** A floor of 4 × 4 m around the origin, and a landing beside it, 0.5 m higher. */
async function floors() {
  const model = new THREE.Group();
  for (const [x, y] of [
    [0, 0],
    [4, 0.5],
  ] as const) {
    const floor = new THREE.Mesh(new THREE.PlaneGeometry(4, 4).rotateX(-Math.PI / 2));
    floor.position.set(x, y, 0);
    model.add(floor);
  }
  const mesh = await navMeshOf(stubAFrame(), model);
  if (mesh === null) throw new Error("there is no floor");
  return mesh;
}

const at = (x: number, y: number, z: number) => new THREE.Vector3(x, y, z);

test("a step on the mesh is unchanged on level ground, and climbs a stair", async () => {
  const mesh = await floors();
  const to = at(1, 0, 1);
  mesh.step(at(0, 0, 0), to);
  expect(to.toArray()).toEqual([1, 0, 1]);
  const up = at(2.1, 0, 0);
  mesh.step(at(1.9, 0, 0), up);
  expect(up.y).toBeCloseTo(0.5, 5);
});

test("a step over the mesh's edge slides along the edge", async () => {
  const mesh = await floors();
  const along = at(0.3, 0, 2.2);
  mesh.step(at(0, 0, 1.9), along);
  expect(along.toArray()).toEqual([expect.closeTo(0.3, 5), expect.closeTo(0, 5), expect.closeTo(1.9, 5)]);
  const other = at(-2.2, 0, 0.3);
  mesh.step(at(-1.9, 0, 0), other);
  expect(other.toArray()).toEqual([expect.closeTo(-1.9, 5), expect.closeTo(0, 5), expect.closeTo(0.3, 5)]);
  const corner = at(-2.2, 0, 2.2);
  mesh.step(at(-1.9, 0, 1.9), corner);
  expect(corner.toArray()).toEqual([expect.closeTo(-1.9, 5), 0, expect.closeTo(1.9, 5)]);
});

test("a step outside the mesh is unconstrained, and a landing outside is refused", async () => {
  const mesh = await floors();
  const to = at(11, 3, 0);
  mesh.step(at(10, 3, 0), to);
  expect(to.toArray()).toEqual([11, 3, 0]);
  expect(mesh.landing(10, 0, 0)).toBeNull();
  expect(mesh.landing(0, 0.2, 0)).toBeCloseTo(0, 5);
});

test("the nearest point on the mesh is found, and for a level arrival only at the same height", async () => {
  const mesh = await floors();
  expect(mesh.nearest({ x: 0, y: 0.2, z: 0 }, "nearest")).toEqual({ x: 0, y: expect.closeTo(0, 5), z: 0 });
  expect(mesh.nearest({ x: -5, y: 9, z: 1 }, "nearest")).toEqual({
    x: -2,
    y: expect.closeTo(0, 5),
    z: expect.closeTo(1, 5),
  });
  expect(mesh.nearest({ x: -5, y: 9, z: 1 }, "level")).toBeNull();
  expect(mesh.nearest({ x: -5, y: 0.1, z: 1 }, "level")).toEqual({
    x: -2,
    y: expect.closeTo(0, 5),
    z: expect.closeTo(1, 5),
  });
});

test("a model without a mesh is no floor", async () => {
  expect(await navMeshOf(stubAFrame(), new THREE.Group())).toBeNull();
});
