/** Mouse, touch and XR controllers as rays that hover and press objects. Page: docs/components/stoa-pointer.md */
import { type AFrameAdapter, type Behaviour, type Entity, entityOf, type SceneElement, type Three } from "../aframe.ts";
import { BATCHED_LAYER, DROP_REACH_M, HOVER_INTERVAL_MS } from "../limits.ts";
import { dispose } from "../meshes.ts";
import { personPart } from "../people/person-part.ts";
import { isSeen } from "../scene-graph.ts";

/** The origin of a ray. */
export type RaySourceName = "camera" | "left" | "right";
/** The events emitted on objects. */
export type PointerEventType = "mousedown" | "mouseup" | "mouseenter" | "mouseleave";

/** Event of a ray that stays on the same object; emitted on panels only, at each hover test. */
export const OVER = "stoa-over";
/** The component whose objects get {@link OVER}. */
const OVER_COMPONENT = "stoa-panel";

/** The detail of pointer events. */
export interface PointerDetail {
  readonly source: RaySourceName;
  /** Hit point and origin of the ray, in scene space. */
  readonly point: readonly [number, number, number];
  readonly origin: readonly [number, number, number];
}

/** A captured press, for as long as it lasts. */
export interface CapturedPress {
  /** The ray moved. The pointer owns and reuses the ray. */
  move(ray: Three.Ray): void;
  end(): void;
}

/** The input that presses. */
export interface Presser {
  readonly source: RaySourceName;
  /** Whether the input is a tracked hand, which has no thumbstick for movement. */
  readonly isHand: boolean;
  /** Its pose; `null` for the mouse. */
  readonly space: Three.Object3D | null;
}

/** Called at each press: a `CapturedPress` captures it, `null` leaves it to the object. */
export type PressInterceptor = (
  target: Entity | null,
  ray: Three.Ray,
  hit: Three.Intersection | null,
  by: Presser,
) => CapturedPress | null;

/** Called when a controller's grip closes, with the object that it points at or is within. */
export type GripInterceptor = (target: Entity | null, by: Presser) => CapturedPress | null;

interface PointerRayState {
  source: RaySourceName;
  isHand: boolean;
  readonly space: Three.Object3D | null;
  readonly caster: Three.Raycaster;
  readonly hits: Three.Intersection[];
  readonly point: Three.Vector3;
  hovered: Entity | null;
  pressed: Entity | null;
  drag: CapturedPress | null;
  /** Whether the grip started the drag instead of the trigger. */
  isGrip: boolean;
}

interface XrControllerPointer {
  readonly pointer: PointerRayState;
  readonly target: Three.XRTargetRaySpace;
  readonly grip: Three.XRGripSpace;
  readonly line: Three.Line;
  readonly body: Three.Object3D;
  readonly stop: () => void;
}

/** All rays of this page. Belongs on the rig, so that controllers move with it. */
export class PointerBehaviour implements Behaviour<unknown> {
  /** Raycast targets, maintained by the scene view. Descendants count as their target. */
  targets: readonly Three.Object3D[] = [];
  /** The targets tested before all others, in this order: the user's own panels, and objects drawn over everything. */
  foremost: readonly Three.Object3D[] = [];
  /** Whether a modifier key was held at the last press, which then adds to the selection. */
  adds = false;
  /** Called first at each press. */
  taker: PressInterceptor | null = null;
  /** Called when a controller's grip closes. */
  gripTaker: GripInterceptor | null = null;

  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #scene: SceneElement;
  readonly #mouse: PointerRayState;
  readonly #onScreen: Three.Vector2;
  readonly #scale: Three.Vector3;
  readonly #listening = new AbortController();
  #controllers: XrControllerPointer[] = [];
  #mouseInside = false;
  #testedMs = 0;

  constructor(aframe: AFrameAdapter, el: Entity, scene: SceneElement) {
    this.#aframe = aframe;
    this.#el = el;
    this.#scene = scene;
    this.#mouse = this.#createRay("camera", null);
    this.#onScreen = new aframe.THREE.Vector2();
    this.#scale = new aframe.THREE.Vector3();
    const { signal } = this.#listening;
    if (scene.canvas) this.#start();
    else scene.addEventListener("render-target-loaded", () => this.#start(), { once: true, signal });
    scene.addEventListener("enter-vr", () => this.#endHover(this.#mouse), { signal });
    scene.addEventListener("exit-vr", () => this.#leaveControllers(), { signal });
  }

  tick(timeMs: number): void {
    const immersed = this.#scene.is("vr-mode") || this.#scene.is("ar-mode");
    if (immersed) {
      for (const controller of this.#controllers) {
        this.#aim(controller);
        controller.pointer.drag?.move(controller.pointer.caster.ray);
      }
    }
    if (timeMs - this.#testedMs < HOVER_INTERVAL_MS) return;
    this.#testedMs = timeMs;
    if (!immersed && this.#mouseInside) this.#castMouse();
    if (!immersed) return;
    for (const { pointer, target } of this.#controllers) if (target.visible) this.#hover(pointer);
  }

  /** Writes the pose of that hand's controller in scene space; false without a controller. */
  handPose(side: "left" | "right", position: Three.Vector3, rotation: Three.Quaternion): boolean {
    for (const { pointer, grip } of this.#controllers) {
      if (pointer.source !== side || !grip.visible) continue;
      grip.updateWorldMatrix(true, false);
      grip.matrixWorld.decompose(position, rotation, this.#scale);
      return true;
    }
    return false;
  }

  /** Writes the ray of that hand's controller in this render frame; false without a controller. */
  rayOf(side: "left" | "right", ray: Three.Ray): boolean {
    for (const { pointer, target } of this.#controllers) {
      if (pointer.source !== side || !target.visible) continue;
      ray.copy(pointer.caster.ray);
      return true;
    }
    return false;
  }

  /** A raycaster that also tests batched shapes, for raycasts beyond the targets. */
  makeCaster(): Three.Raycaster {
    const caster = new this.#aframe.THREE.Raycaster();
    caster.layers.enable(BATCHED_LAYER);
    return caster;
  }

  /** Writes the current pointing ray: of a hand, else of the mouse, else along the view. */
  aim(ray: Three.Ray): RaySourceName {
    for (const side of ["right", "left"] as const) if (this.rayOf(side, ray)) return side;
    if (this.#mouseInside) ray.copy(this.#mouse.caster.ray);
    else {
      const { camera } = this.#scene;
      camera?.getWorldPosition(ray.origin);
      camera?.getWorldDirection(ray.direction);
    }
    return "camera";
  }

  /** Clears the state about a removed object. */
  forget(el: Entity): void {
    for (const pointer of [this.#mouse, ...this.#controllers.map((controller) => controller.pointer)]) {
      if (pointer.hovered === el) pointer.hovered = null;
      if (pointer.pressed === el) pointer.pressed = null;
    }
  }

  /** Intersects the ray through a point of the window with the level `y`; `null` if it misses or is too far away. */
  groundAt(clientX: number, clientY: number, y: number): { x: number; y: number; z: number } | null {
    const { camera, canvas } = this.#scene;
    if (!camera || !canvas) return null;
    this.#place({ clientX, clientY }, canvas);
    camera.updateWorldMatrix(true, false);
    this.#mouse.caster.setFromCamera(this.#onScreen, camera);
    const { origin, direction } = this.#mouse.caster.ray;
    const distance = (y - origin.y) / direction.y;
    if (!(distance > 0 && distance < DROP_REACH_M)) return null;
    const round = (value: number): number => Math.round(value * 1_000) / 1_000;
    return { x: round(origin.x + direction.x * distance), y, z: round(origin.z + direction.z * distance) };
  }

  remove(): void {
    this.#listening.abort();
    this.#endHover(this.#mouse);
    for (const { pointer, target, grip, line, body, stop } of this.#controllers) {
      stop();
      this.#endHover(pointer);
      dispose(line);
      dispose(body);
      target.removeFromParent();
      grip.removeFromParent();
    }
    this.#controllers = [];
  }

  #createRay(source: RaySourceName, space: Three.Object3D | null): PointerRayState {
    const { THREE } = this.#aframe;
    return {
      source,
      isHand: false,
      space,
      caster: this.makeCaster(),
      hits: [],
      point: new THREE.Vector3(),
      hovered: null,
      pressed: null,
      drag: null,
      isGrip: false,
    };
  }

  /** Creates the controllers before any XR session: three.js connects only existing ones. */
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
      this.adds = event.shiftKey || event.ctrlKey || event.metaKey;
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
    for (const { pointer } of this.#controllers) {
      this.#endPresses(pointer);
      this.#endHover(pointer);
    }
  }

  #leaveMouse(canvas: HTMLCanvasElement): void {
    this.#mouseInside = false;
    this.#endHover(this.#mouse);
    canvas.style.cursor = "";
  }

  #place(event: Pick<PointerEvent, "clientX" | "clientY">, canvas: HTMLCanvasElement): void {
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
    this.#hover(this.#mouse);
    this.#scene.canvas.style.cursor = this.#mouse.hovered ? "pointer" : "";
  }

  /** Finds the first hit and emits enter and leave events. */
  #hover(pointer: PointerRayState): void {
    if (pointer.drag) return;
    const hit = this.#firstHit(pointer);
    const target = hit ? this.#targetOf(hit.object) : null;
    if (hit) pointer.point.copy(hit.point);
    if (target === pointer.hovered) {
      if (target?.hasAttribute(OVER_COMPONENT)) this.#emit(target, OVER, pointer);
      return;
    }
    this.#endHover(pointer);
    pointer.hovered = target;
    this.#emit(target, "mouseenter", pointer);
  }

  #firstHit(pointer: PointerRayState): Three.Intersection | null {
    const { camera } = this.#scene;
    if (camera) pointer.caster.camera = camera;
    pointer.hits.length = 0;
    for (const foremost of this.foremost) {
      const first = foremost.visible ? pointer.caster.intersectObject(foremost, true, pointer.hits)[0] : undefined;
      if (first) return first;
    }
    for (const target of this.targets) pointer.caster.intersectObject(target, true, pointer.hits);
    let nearest: Three.Intersection | null = null;
    for (const hit of pointer.hits) {
      if ((!nearest || hit.distance < nearest.distance) && isSeen(hit.object)) nearest = hit;
    }
    return nearest;
  }

  #targetOf(object: Three.Object3D): Entity | null {
    for (let at: Three.Object3D | null = object; at; at = at.parent) if (this.targets.includes(at)) return entityOf(at);
    return null;
  }

  #press(pointer: PointerRayState): void {
    if (pointer.isGrip) return;
    const hit = this.#firstHit(pointer);
    const target = hit ? this.#targetOf(hit.object) : null;
    pointer.drag = this.taker?.(target, pointer.caster.ray, hit, pointer) ?? null;
    if (pointer.drag) return;
    pointer.pressed = target;
    this.#emit(target, "mousedown", pointer);
  }

  #release(pointer: PointerRayState): void {
    if (pointer.isGrip) return;
    pointer.drag?.end();
    pointer.drag = null;
    this.#emit(pointer.pressed, "mouseup", pointer);
    pointer.pressed = null;
  }

  #closeGrip(pointer: PointerRayState): void {
    if (pointer.drag) return;
    this.#hover(pointer);
    pointer.drag = this.gripTaker?.(this.#objectAround(pointer) ?? pointer.hovered, pointer) ?? null;
    pointer.isGrip = pointer.drag !== null;
  }

  #openGrip(pointer: PointerRayState): void {
    if (!pointer.isGrip) return;
    pointer.drag?.end();
    pointer.drag = null;
    pointer.isGrip = false;
  }

  /** Ends a ray's presses when its controller disconnects or the XR session ends: three.js then emits no end events. */
  #endPresses(pointer: PointerRayState): void {
    this.#openGrip(pointer);
    this.#release(pointer);
  }

  /** The smallest object that contains the hand: a ray from inside doesn't hit it. */
  #objectAround(pointer: PointerRayState): Entity | null {
    const { THREE } = this.#aframe;
    const { origin } = pointer.caster.ray;
    const boxes = this.targets
      .filter((target) => !this.foremost.includes(target) && isSeen(target))
      .map((target) => ({ target, box: new THREE.Box3().setFromObject(target) }))
      .filter(({ box }) => box.containsPoint(origin))
      .map(({ target, box }) => ({ target, sizeM: box.getSize(pointer.point).length() }));
    const [nearest] = boxes.sort((a, b) => a.sizeM - b.sizeM);
    return nearest ? entityOf(nearest.target) : null;
  }

  #endHover(pointer: PointerRayState): void {
    this.#emit(pointer.hovered, "mouseleave", pointer);
    pointer.hovered = null;
  }

  #emit(el: Entity | null, type: PointerEventType | typeof OVER, pointer: PointerRayState): void {
    if (!el) return;
    const { origin } = pointer.caster.ray;
    const detail: PointerDetail = {
      source: pointer.source,
      point: [pointer.point.x, pointer.point.y, pointer.point.z],
      origin: [origin.x, origin.y, origin.z],
    };
    el.emit(type, detail, false);
  }

  #controller(index: number): XrControllerPointer {
    const { THREE } = this.#aframe;
    const { xr } = this.#scene.renderer;
    const target = xr.getController(index);
    const grip = xr.getControllerGrip(index);
    const pointer = this.#createRay(index === 0 ? "left" : "right", target);
    const ends = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3(0, 0, -1)]);
    const line = new THREE.Line(
      ends,
      new THREE.LineBasicMaterial({ color: "#ffffff", opacity: 0.6, transparent: true }),
    );
    const body = personPart(this.#aframe, "hand", "#cbd5e1");
    line.scale.z = 5;
    target.add(line);
    grip.add(body);
    this.#el.object3D.add(target, grip);
    const press = (): void => {
      this.adds = false;
      this.#aim(controller);
      this.#hover(pointer);
      this.#press(pointer);
    };
    const release = (): void => this.#release(pointer);
    const close = (): void => {
      this.#aim(controller);
      this.#closeGrip(pointer);
    };
    const open = (): void => this.#openGrip(pointer);
    const connected = ({ data }: { data: XRInputSource }): void => {
      pointer.source = data.handedness === "none" ? "camera" : data.handedness;
      pointer.isHand = data.hand !== undefined && data.hand !== null;
    };
    const disconnected = (): void => this.#endPresses(pointer);
    target.addEventListener("connected", connected);
    target.addEventListener("disconnected", disconnected);
    target.addEventListener("selectstart", press);
    target.addEventListener("selectend", release);
    target.addEventListener("squeezestart", close);
    target.addEventListener("squeezeend", open);
    const stop = (): void => {
      target.removeEventListener("connected", connected);
      target.removeEventListener("disconnected", disconnected);
      target.removeEventListener("selectstart", press);
      target.removeEventListener("selectend", release);
      target.removeEventListener("squeezestart", close);
      target.removeEventListener("squeezeend", open);
    };
    const controller: XrControllerPointer = { pointer, target, grip, line, body, stop };
    return controller;
  }

  #aim({ pointer, target, line }: XrControllerPointer): void {
    target.updateWorldMatrix(true, false);
    pointer.caster.ray.origin.setFromMatrixPosition(target.matrixWorld);
    pointer.caster.ray.direction.set(0, 0, -1).transformDirection(target.matrixWorld);
    line.visible = target.visible;
    line.scale.z = pointer.hovered ? pointer.point.distanceTo(pointer.caster.ray.origin) : 5;
  }
}

/** Registers `stoa-pointer`. */
export function registerPointer(aframe: AFrameAdapter): void {
  aframe.registerComponent<object, PointerBehaviour>({
    name: "stoa-pointer",
    schema: {},
    create: (el) => {
      if (!el.sceneEl) throw new Error("stoa-pointer must be inside an a-scene");
      return new PointerBehaviour(aframe, el, el.sceneEl);
    },
  });
}
