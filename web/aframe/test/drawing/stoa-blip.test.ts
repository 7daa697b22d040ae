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

describe("blip-in", () => {
  test("starts fully clipped, opens from the middle, and restores the material at its end", () => {
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
  ] as const)("opens from one side: %s", (planes, from, to) => {
    const component = blip({ planes });
    show();
    component.tick(0, 0);
    expect(seen()).toEqual(from);
    pass(component, 333 + 750);
    expect(seen()).toEqual(to.map(([up, level]) => [up, expect.closeTo(level, 5)]));
  });

  test("doesn't run for an object that is already visible, even when its mesh is set again", () => {
    show();
    const component = blip();
    el.emit("object3dset", { object: mesh, type: "mesh" }, false);
    component.tick(0, 0);
    expect([seen(), mesh.visible]).toEqual([null, true]);
  });

  test("runs for a mesh that was set before the component while the object was still loading", () => {
    Object.assign(el, { hasLoaded: false });
    show();
    const component = blip();
    expect(mesh.visible).toBe(false);
    Object.assign(el, { hasLoaded: true });
    component.tick(0, 0);
    expect(seen()?.length).toBe(2);
  });

  test("still runs after a frame of five seconds", () => {
    const component = blip();
    show();
    component.tick(0, 0);
    component.tick(0, 5_000);
    expect(component.isOn).toBe(true);
  });

  test("is skipped when the blipin setting is off", () => {
    const component = blip({ blipin: false });
    show();
    component.tick(0, 0);
    expect(seen()).toBeNull();
  });

  test("doesn't clip another mesh with the same material", () => {
    const other = new THREE.Mesh(new THREE.BoxGeometry(), material);
    const component = blip();
    show();
    component.tick(0, 10);
    expect(seen()?.length).toBe(2);
    expect(other.material.clippingPlanes).toBeNull();
  });
});

describe("blip-out", () => {
  test("closes to the middle, and calls back once at its end", () => {
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

  test("is skipped when the blipout setting is off or the object has no mesh", () => {
    const never = (): never => {
      throw new Error("it is gone already");
    };
    expect(blip().leave(never)).toBe(false);
    show();
    expect(blip({ blipout: false }).leave(never)).toBe(false);
  });

  test("ends on remove: the plates are deleted and the callback runs", () => {
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
