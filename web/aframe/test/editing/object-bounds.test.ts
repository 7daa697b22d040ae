import * as THREE from "three";
import { expect, test } from "vitest";
import { boundsOf } from "../../src/editing/object-bounds.ts";
import { stubEntity, stubScene } from "../stub-aframe.ts";

test("bounds cover an object's mesh without its children; an object without a mesh has none", () => {
  const scene = stubScene();
  const [table, cup, lamp] = ["table", "cup", "lamp"].map((id) => stubEntity(scene, id));
  if (!table || !cup || !lamp) throw new Error("there are three");
  table.setObject3D("mesh", new THREE.Mesh(new THREE.BoxGeometry(2, 1, 1)));
  cup.setObject3D("mesh", new THREE.Mesh(new THREE.BoxGeometry(0.2, 0.2, 0.2)));
  lamp.removeObject3D("mesh");
  table.object3D.position.set(1, 0.5, -3);
  table.object3D.scale.set(2, 1, 1);
  table.object3D.add(cup.object3D);
  cup.object3D.position.set(0, 5, 0);
  const bodies = boundsOf(THREE, [table, cup, lamp]);
  expect(bodies[0]).toEqual({ min: { x: -1, y: 0, z: -3.5 }, max: { x: 3, y: 1, z: -2.5 } });
  expect(bodies[1]?.min.y).toBeCloseTo(5.4);
  expect(bodies).toHaveLength(2);
});
