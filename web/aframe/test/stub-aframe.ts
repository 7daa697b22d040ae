/** Entities without A-Frame: real three.js, real DOM events, no renderer. */
import * as THREE from "three";
import { AFrameAdapter, asEntity, asScene, type Entity, type SceneElement } from "../src/aframe.ts";

/** A-Frame's API with nothing registered. */
export function stubAFrame(): AFrameAdapter {
  return new AFrameAdapter({
    THREE,
    components: {},
    systems: {},
    geometries: {},
    shaders: {},
    registerComponent() {},
    registerGeometry() {},
    registerShader() {},
  });
}

function stub(tag: string, object3D: THREE.Object3D): HTMLElement {
  const el = document.createElement(tag);
  const parts = new Map<string, THREE.Object3D>();
  return Object.assign(el, {
    object3D: Object.assign(object3D, { el }),
    hasLoaded: true,
    setObject3D(name: string, object: THREE.Object3D) {
      parts.set(name, object);
      object3D.add(Object.assign(object, { el }));
    },
    getObject3D: (name: string) => parts.get(name),
    removeObject3D(name: string) {
      const object = parts.get(name);
      if (object) object3D.remove(object);
      parts.delete(name);
    },
    emit(name: string, detail?: unknown, bubbles = true) {
      el.dispatchEvent(new CustomEvent(name, { detail, bubbles }));
    },
  });
}

/** A scene with a camera at eye height. */
export function stubScene(): SceneElement {
  const camera = new THREE.PerspectiveCamera();
  camera.position.set(0, 1.6, 3);
  const object3D = new THREE.Scene();
  object3D.add(camera);
  const canvas = document.createElement("canvas");
  const controllers = [0, 1].map(() => ({ target: new THREE.Group(), grip: new THREE.Group() }));
  for (const { target, grip } of controllers) target.visible = grip.visible = false;
  const xr = {
    getController: (at: number) => controllers[at]?.target,
    getControllerGrip: (at: number) => controllers[at]?.grip,
  };
  const states = new Set<string>();
  const el = stub("div", object3D);
  el.append(canvas);
  document.body.append(el);
  const is = (state: string): boolean => states.has(state);
  return asScene(Object.assign(el, { canvas, camera, renderer: { xr }, is, states, controllers }));
}

/** An entity in the scene. */
export function stubEntity(scene: SceneElement, objectId = ""): Entity {
  const el = stub("div", new THREE.Group());
  if (objectId !== "") el.dataset.objectId = objectId;
  scene.append(el);
  scene.object3D.add(asEntity(el).object3D);
  return asEntity(Object.assign(el, { sceneEl: scene }));
}

/** An entity with a cube of 1 m at a position. */
export function stubBox(scene: SceneElement, objectId: string, [x, y, z]: readonly [number, number, number]): Entity {
  const el = stubEntity(scene, objectId);
  el.setObject3D("mesh", new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial()));
  el.object3D.position.set(x, y, z);
  scene.object3D.updateMatrixWorld(true);
  return el;
}

/** A WebXR input source for a controller in a hand. */
export function inputSource(handedness: XRHandedness): XRInputSource {
  return { handedness, targetRayMode: "tracked-pointer", targetRaySpace: new EventTarget(), profiles: [] };
}

/** Collects the details of all events of a type. */
export function heard(el: EventTarget, type: string): unknown[] {
  const details: unknown[] = [];
  el.addEventListener(type, (event) => details.push(event instanceof CustomEvent ? event.detail : null));
  return details;
}
