/** Mouse, touch and controllers as rays that press and hover objects. Page: docs/components/stoa-pointer.md */
import { type AFrame, type Behaviour, type Entity, entityOf, type SceneElement, type Three } from "./aframe.ts";
import { HOVER_INTERVAL_MS } from "./limits.ts";
import { dispose } from "./meshes.ts";
import { handMesh } from "./stoa-hand.ts";

/** Where a ray comes from. */
export type RaySource = "camera" | "left" | "right";
/** What an object is told. */
export type PointerEventType = "mousedown" | "mouseup" | "mouseenter" | "mouseleave";

/** The detail of the events that objects get. */
export interface PointerDetail {
  readonly source: RaySource;
  /** Where the ray met the object, and where it began: scene space. */
  readonly point: readonly [number, number, number];
  readonly origin: readonly [number, number, number];
}

/** Takes a press away from the objects, for as long as it lasts. */
export interface Drag {
  /** The ray moved; the ray belongs to the pointer. */
  move(ray: Three.Ray): void;
  end(): void;
}

/** Asked at each press: a `Drag` takes it, `null` leaves it to the object. */
export type PressTaker = (target: Entity | null, ray: Three.Ray, hit: Three.Intersection | null) => Drag | null;

/** One ray and what it is about. */
interface Beam {
  source: RaySource;
  readonly caster: Three.Raycaster;
  readonly hits: Three.Intersection[];
  readonly point: Three.Vector3;
  hovered: Entity | null;
  pressed: Entity | null;
  drag: Drag | null;
}

interface Controller {
  readonly beam: Beam;
  readonly target: Three.XRTargetRaySpace;
  readonly grip: Three.XRGripSpace;
  readonly line: Three.Line;
  readonly body: Three.Object3D;
  readonly stop: () => void;
}

/** All rays of this page. Stands on the rig, so that controllers move with it. */
export class Pointer implements Behaviour<unknown> {
  /** What can be hit; whoever shows the objects keeps it. Children of these count as they. */
  targets: readonly Three.Object3D[] = [];
  /** Asked first at each press. */
  taker: PressTaker | null = null;

  readonly #aframe: AFrame;
  readonly #el: Entity;
  readonly #scene: SceneElement;
  readonly #mouse: Beam;
  readonly #onScreen: Three.Vector2;
  readonly #scale: Three.Vector3;
  readonly #listening = new AbortController();
  #controllers: Controller[] = [];
  #mouseInside = false;
  #lookedMs = 0;

  constructor(aframe: AFrame, el: Entity, scene: SceneElement) {
    this.#aframe = aframe;
    this.#el = el;
    this.#scene = scene;
    this.#mouse = this.#beam("camera");
    this.#onScreen = new aframe.THREE.Vector2();
    this.#scale = new aframe.THREE.Vector3();
    const { signal } = this.#listening;
    if (scene.canvas) this.#start();
    else scene.addEventListener("render-target-loaded", () => this.#start(), { once: true, signal });
    scene.addEventListener("enter-vr", () => this.#leave(this.#mouse), { signal });
    scene.addEventListener("exit-vr", () => this.#leaveControllers(), { signal });
  }

  tick(timeMs: number): void {
    const immersed = this.#scene.is("vr-mode") || this.#scene.is("ar-mode");
    if (immersed) {
      for (const controller of this.#controllers) {
        this.#aim(controller);
        controller.beam.drag?.move(controller.beam.caster.ray);
      }
    }
    if (timeMs - this.#lookedMs < HOVER_INTERVAL_MS) return;
    this.#lookedMs = timeMs;
    if (!immersed && this.#mouseInside) this.#castMouse();
    if (!immersed) return;
    for (const { beam, target } of this.#controllers) if (target.visible) this.#look(beam);
  }

  /** Where the controller of that hand is, in scene space; false while there is none. */
  handPose(side: "left" | "right", position: Three.Vector3, rotation: Three.Quaternion): boolean {
    for (const { beam, grip } of this.#controllers) {
      if (beam.source !== side || !grip.visible) continue;
      grip.updateWorldMatrix(true, false);
      grip.matrixWorld.decompose(position, rotation, this.#scale);
      return true;
    }
    return false;
  }

  /** The object is gone: no ray hovers or presses it any more. */
  forget(el: Entity): void {
    for (const beam of [this.#mouse, ...this.#controllers.map((controller) => controller.beam)]) {
      if (beam.hovered === el) beam.hovered = null;
      if (beam.pressed === el) beam.pressed = null;
    }
  }

  remove(): void {
    this.#listening.abort();
    this.#leave(this.#mouse);
    for (const { beam, target, grip, line, body, stop } of this.#controllers) {
      stop();
      this.#leave(beam);
      dispose(line);
      dispose(body);
      target.removeFromParent();
      grip.removeFromParent();
    }
    this.#controllers = [];
  }

  #beam(source: RaySource): Beam {
    const { THREE } = this.#aframe;
    return {
      source,
      caster: new THREE.Raycaster(),
      hits: [],
      point: new THREE.Vector3(),
      hovered: null,
      pressed: null,
      drag: null,
    };
  }

  /** Controllers are asked for before any session begins: three.js connects only those that somebody has asked for. */
  #start(): void {
    this.#listen(this.#scene.canvas);
    this.#controllers = [0, 1].map((index) => this.#controller(index));
  }

  #listen(canvas: HTMLCanvasElement): void {
    const { signal } = this.#listening;
    const on = (type: string, listener: (event: PointerEvent) => void): void =>
      canvas.addEventListener(type, (event) => event instanceof PointerEvent && listener(event), { signal });
    on("pointermove", (event) => {
      if (!event.isPrimary) return;
      this.#place(event, canvas);
      this.#mouseInside = true;
      this.#castMouse();
      this.#mouse.drag?.move(this.#mouse.caster.ray);
    });
    on("pointerdown", (event) => {
      if (!event.isPrimary || event.button !== 0) return;
      this.#place(event, canvas);
      this.#castMouse();
      this.#press(this.#mouse);
    });
    const up = (event: PointerEvent): void => {
      if (!event.isPrimary) return;
      this.#release(this.#mouse);
      if (event.pointerType !== "mouse") this.#leaveMouse(canvas);
    };
    on("pointercancel", up);
    canvas.ownerDocument.addEventListener("pointerup", up, { signal });
    on("pointerleave", () => this.#leaveMouse(canvas));
  }

  #leaveControllers(): void {
    for (const { beam } of this.#controllers) this.#leave(beam);
  }

  #leaveMouse(canvas: HTMLCanvasElement): void {
    this.#mouseInside = false;
    this.#leave(this.#mouse);
    canvas.style.cursor = "";
  }

  #place(event: PointerEvent, canvas: HTMLCanvasElement): void {
    const box = canvas.getBoundingClientRect();
    this.#onScreen.set(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
  }

  #castMouse(): void {
    const { camera } = this.#scene;
    if (!camera) return;
    camera.updateWorldMatrix(true, false);
    this.#mouse.caster.setFromCamera(this.#onScreen, camera);
    this.#look(this.#mouse);
    this.#scene.canvas.style.cursor = this.#mouse.hovered ? "pointer" : "";
  }

  /** Finds what the ray meets first, and tells the objects that it came and went. */
  #look(beam: Beam): void {
    if (beam.drag) return;
    const hit = this.#firstHit(beam);
    const target = hit ? this.#targetOf(hit.object) : null;
    if (hit) beam.point.copy(hit.point);
    if (target === beam.hovered) return;
    this.#leave(beam);
    beam.hovered = target;
    this.#tell(target, "mouseenter", beam);
  }

  #firstHit(beam: Beam): Three.Intersection | null {
    const { camera } = this.#scene;
    if (camera) beam.caster.camera = camera;
    beam.hits.length = 0;
    for (const target of this.targets) beam.caster.intersectObject(target, true, beam.hits);
    let nearest: Three.Intersection | null = null;
    for (const hit of beam.hits) {
      if ((!nearest || hit.distance < nearest.distance) && shown(hit.object)) nearest = hit;
    }
    return nearest;
  }

  #targetOf(object: Three.Object3D): Entity | null {
    for (let at: Three.Object3D | null = object; at; at = at.parent) if (this.targets.includes(at)) return entityOf(at);
    return null;
  }

  #press(beam: Beam): void {
    const hit = this.#firstHit(beam);
    const target = hit ? this.#targetOf(hit.object) : null;
    beam.drag = this.taker?.(target, beam.caster.ray, hit) ?? null;
    if (beam.drag) return;
    beam.pressed = target;
    this.#tell(target, "mousedown", beam);
  }

  #release(beam: Beam): void {
    beam.drag?.end();
    beam.drag = null;
    this.#tell(beam.pressed, "mouseup", beam);
    beam.pressed = null;
  }

  #leave(beam: Beam): void {
    this.#tell(beam.hovered, "mouseleave", beam);
    beam.hovered = null;
  }

  #tell(el: Entity | null, type: PointerEventType, beam: Beam): void {
    if (!el) return;
    const { origin } = beam.caster.ray;
    const detail: PointerDetail = {
      source: beam.source,
      point: [beam.point.x, beam.point.y, beam.point.z],
      origin: [origin.x, origin.y, origin.z],
    };
    el.emit(type, detail, false);
  }

  #controller(index: number): Controller {
    const { THREE } = this.#aframe;
    const { xr } = this.#scene.renderer;
    const target = xr.getController(index);
    const grip = xr.getControllerGrip(index);
    const beam = this.#beam(index === 0 ? "left" : "right");
    const ends = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3(0, 0, -1)]);
    const line = new THREE.Line(
      ends,
      new THREE.LineBasicMaterial({ color: "#ffffff", opacity: 0.6, transparent: true }),
    );
    const body = handMesh(this.#aframe, "#cbd5e1");
    line.scale.z = 5;
    target.add(line);
    grip.add(body);
    this.#el.object3D.add(target, grip);
    const press = (): void => {
      this.#aim(controller);
      this.#look(beam);
      this.#press(beam);
    };
    const release = (): void => this.#release(beam);
    const connected = ({ data }: { data: XRInputSource }): void => {
      beam.source = data.handedness === "none" ? "camera" : data.handedness;
    };
    target.addEventListener("connected", connected);
    target.addEventListener("selectstart", press);
    target.addEventListener("selectend", release);
    const stop = (): void => {
      target.removeEventListener("connected", connected);
      target.removeEventListener("selectstart", press);
      target.removeEventListener("selectend", release);
    };
    const controller: Controller = { beam, target, grip, line, body, stop };
    return controller;
  }

  #aim({ beam, target, line }: Controller): void {
    target.updateWorldMatrix(true, false);
    beam.caster.ray.origin.setFromMatrixPosition(target.matrixWorld);
    beam.caster.ray.direction.set(0, 0, -1).transformDirection(target.matrixWorld);
    line.visible = target.visible;
    line.scale.z = beam.hovered ? beam.point.distanceTo(beam.caster.ray.origin) : 5;
  }
}

function shown(object: Three.Object3D): boolean {
  for (let at: Three.Object3D | null = object; at; at = at.parent) if (!at.visible) return false;
  return true;
}

/** Makes `stoa-pointer` known to A-Frame. */
export function registerPointer(aframe: AFrame): void {
  aframe.registerComponent<object, Pointer>({
    name: "stoa-pointer",
    schema: {},
    create: (el) => {
      if (!el.sceneEl) throw new Error("stoa-pointer stands outside of a scene");
      return new Pointer(aframe, el, el.sceneEl);
    },
  });
}
