import * as THREE from "three";
import { beforeEach, describe, expect, test } from "vitest";
import type { Entity, SceneElement } from "../../src/aframe.ts";
import { BlipBehaviour, type BlipSettings } from "../../src/drawing/stoa-blip.ts";
import { stubAFrame, stubEntity, stubScene } from "../stub-aframe.ts";

const SETTINGS: BlipSettings = { blipin: true, blipout: true, geometry: "rect", planes: "both", duration: 750 };
/** Plates grow and shrink for 333 ms each. */
const WHOLE_MS = 333 + 750 + 333;

let scene: SceneElement;
let el: Entity;
let material: THREE.MeshBasicMaterial;
let mesh: THREE.Mesh;

/** Sets the object's mesh: a cube of 1 m, centred 5 m up. */
function show(): void {
  el.setObject3D("mesh", mesh);
  el.emit("object3dset", { object: mesh, type: "mesh" }, false);
}

function blip(settings: Partial<BlipSettings> = {}): BlipBehaviour {
  const component = new BlipBehaviour(stubAFrame(), el);
  component.update({ ...SETTINGS, ...settings });
  return component;
}

/** The levels between which the shape is visible; `null`: all of it. */
function seen(): readonly (readonly [up: number, level: number])[] | null {
  const { clippingPlanes } = mesh.material as THREE.Material;
  return clippingPlanes?.map(({ normal, constant }) => [normal.y, -constant * normal.y]) ?? null;
}

/** Advances time in frames of 10 ms and a remainder. */
function pass(component: BlipBehaviour, ms: number): void {
  for (let left = ms; left > 0; left -= 10) component.tick(0, Math.min(10, left));
}

const plates = (): readonly THREE.Object3D[] =>
  scene.object3D.children.filter((one) => one instanceof THREE.Mesh && one.material instanceof THREE.MeshPhongMaterial);

beforeEach(() => {
  scene = stubScene();
  el = stubEntity(scene);
  el.object3D.position.set(0, 5, 0);
  material = new THREE.MeshBasicMaterial();
  mesh = new THREE.Mesh(new THREE.BoxGeometry(), material);
});

describe("appearing", () => {
  test("begins with nothing, opens from the middle, and leaves the shape as it was", () => {
    const component = blip();
    show();
    expect(mesh.visible, "its place isn't known yet").toBe(false);
    component.tick(0, 0);
    expect(mesh.visible).toBe(true);
    expect(seen()).toEqual([
      [1, 5],
      [-1, 5],
    ]);
    expect(plates().length).toBe(2);
    pass(component, 333 + 375);
    expect(seen()).toEqual([
      [1, expect.closeTo(4.75, 5)],
      [-1, expect.closeTo(5.25, 5)],
    ]);
    pass(component, 375);
    expect(seen()).toEqual([
      [1, expect.closeTo(4.5, 5)],
      [-1, expect.closeTo(5.5, 5)],
    ]);
    pass(component, 333);
    expect([seen(), mesh.material === material, plates().length, component.isOn]).toEqual([null, true, 0, false]);
  });

  test.each([
    ["bottom", [[1, 5.5]], [[1, 4.5]]],
    ["top", [[-1, 4.5]], [[-1, 5.5]]],
  ] as const)("from one side: %s", (planes, from, to) => {
    const component = blip({ planes });
    show();
    component.tick(0, 0);
    expect(seen()).toEqual(from);
    pass(component, 333 + 750);
    expect(seen()).toEqual(to.map(([up, level]) => [up, expect.closeTo(level, 5)]));
  });

  test("is for what comes, not for what is there already or has another shape later", () => {
    show();
    const component = blip();
    el.emit("object3dset", { object: mesh, type: "mesh" }, false);
    component.tick(0, 0);
    expect([seen(), mesh.visible]).toEqual([null, true]);
  });

  test("a shape that A-Frame made before this, while the object comes, appears so too", () => {
    Object.assign(el, { hasLoaded: false });
    show();
    const component = blip();
    expect(mesh.visible).toBe(false);
    Object.assign(el, { hasLoaded: true });
    component.tick(0, 0);
    expect(seen()?.length).toBe(2);
  });

  test("a page that stutters shows it all the same", () => {
    const component = blip();
    show();
    component.tick(0, 0);
    component.tick(0, 5_000);
    expect(component.isOn).toBe(true);
  });

  test("is left out where it isn't wanted, and where it is not to be seen anyway", () => {
    const component = blip({ blipin: false });
    show();
    component.tick(0, 0);
    expect(seen()).toBeNull();
  });

  test("what wears the same material is not cut", () => {
    const other = new THREE.Mesh(new THREE.BoxGeometry(), material);
    const component = blip();
    show();
    component.tick(0, 10);
    expect(seen()?.length).toBe(2);
    expect(other.material.clippingPlanes).toBeNull();
  });
});

describe("disappearing", () => {
  test("closes to the middle, and says when it is gone, once", () => {
    show();
    const component = blip();
    let gone = 0;
    const isLeaving = component.leave(() => {
      gone += 1;
    });
    expect(isLeaving).toBe(true);
    component.tick(0, 0);
    expect(seen()).toEqual([
      [1, 4.5],
      [-1, 5.5],
    ]);
    pass(component, WHOLE_MS - 1);
    expect(gone).toBe(0);
    component.tick(0, 1);
    pass(component, 1_000);
    component.remove();
    expect(gone).toBe(1);
  });

  test("is at once where it isn't wanted, or where there is nothing to see", () => {
    const never = (): never => {
      throw new Error("it is gone already");
    };
    expect(blip().leave(never)).toBe(false);
    show();
    expect(blip({ blipout: false }).leave(never)).toBe(false);
  });

  test("a page that takes it away meanwhile leaves no plate, and what was promised happens", () => {
    show();
    const component = blip();
    let gone = false;
    component.leave(() => {
      gone = true;
    });
    expect(plates().length).toBe(2);
    component.remove();
    expect([plates().length, gone, mesh.material === material]).toEqual([0, true, true]);
  });
});
