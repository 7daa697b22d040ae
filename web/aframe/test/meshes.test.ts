import { BoxGeometry, Group, InstancedMesh, MeshBasicMaterial } from "three";
import { expect, test } from "vitest";
import { freeOptions } from "../src/assets/model-options.ts";
import { dispose } from "../src/meshes.ts";
import { stubAFrame } from "./stub-aframe.ts";

test("disposing an instanced mesh, or a copy of one, frees its instance buffers", () => {
  const [mesh, copy] = [0, 1].map(() => new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 3));
  const freed: string[] = [];
  mesh?.addEventListener("dispose", () => freed.push("its own"));
  copy?.addEventListener("dispose", () => freed.push("a copy's"));
  if (mesh && copy) {
    dispose(new Group().add(mesh));
    freeOptions(stubAFrame(), new Group().add(copy));
  }
  expect(freed).toEqual(["its own", "a copy's"]);
});
