/** Choosing and moving objects in edit mode. Page: docs/components/stoa-edit-gizmo.md */
import type { AFrame, Behaviour, Entity, SceneElement, Three } from "./aframe.ts";
import { DRAG_INTERVAL_MS, REACH_M } from "./limits.ts";
import { coloured, dispose } from "./meshes.ts";
import type { Clock } from "./moving.ts";
import type { Drag } from "./stoa-pointer.ts";
import type { Xyz } from "./values.ts";

/** The settings of `stoa-edit-gizmo`. */
export interface EditSettings {
  readonly enabled: boolean;
}

/** The event on the scene that tells what is chosen; its detail is a `Selection`. */
export const SELECT = "stoa-select";
/** The event that tells where an object was moved; its detail is a `Move`. */
export const MOVE = "stoa-move";
/** The event that tells that a drag began (`true`) or ended. */
export const DRAGGING = "stoa-dragging";

/** What is chosen now. */
export interface Selection {
  readonly objectId: string | null;
}

/** A new place for an object, in its parent's space. */
export interface Move {
  readonly objectId: string;
  readonly position: Xyz;
  /** False while the drag goes on. */
  readonly final: boolean;
}

const COLOR = "#3b82f6";

/** Outline and arrow of the chosen object. */
export class EditGizmo implements Behaviour<EditSettings> {
  readonly #aframe: AFrame;
  readonly #el: Entity;
  readonly #scene: SceneElement;
  readonly #now: Clock;
  readonly #arrow: Three.Group;
  readonly #box: Three.Box3;
  readonly #grabbed: Three.Vector3;
  readonly #plane: Three.Plane;
  readonly #place: Three.Vector3;
  #outline: Three.BoxHelper | null = null;
  #selected: Entity | null = null;
  #enabled = false;

  constructor(aframe: AFrame, el: Entity, options: { readonly scene: SceneElement; readonly now: Clock }) {
    this.#aframe = aframe;
    this.#el = el;
    this.#scene = options.scene;
    this.#now = options.now;
    this.#arrow = upArrow(aframe);
    this.#arrow.visible = false;
    this.#box = new aframe.THREE.Box3();
    this.#grabbed = new aframe.THREE.Vector3();
    this.#plane = new aframe.THREE.Plane();
    this.#place = new aframe.THREE.Vector3();
    el.setObject3D("stoa-arrow", this.#arrow);
  }

  /** What can be pressed beside the objects themselves. */
  get handle(): Three.Object3D {
    return this.#arrow;
  }

  /** The entity that is being shown as chosen. */
  get selected(): Entity | null {
    return this.#selected;
  }

  update({ enabled }: EditSettings): void {
    this.#enabled = enabled;
    if (!enabled) this.select(null);
  }

  /** Chooses an object, or nothing; tells the scene where that is a change. */
  select(target: Entity | null): void {
    if (target === this.#selected) return;
    this.#selected = target;
    if (this.#outline) {
      this.#outline.removeFromParent();
      this.#outline.dispose();
      this.#outline = null;
    }
    this.#arrow.visible = target !== null;
    if (target) {
      this.#outline = new this.#aframe.THREE.BoxHelper(target.object3D, COLOR);
      this.#scene.object3D.add(this.#outline);
      this.#follow();
    }
    const detail: Selection = { objectId: target?.dataset.objectId ?? null };
    this.#scene.emit(SELECT, detail, false);
  }

  /** Takes a press in edit mode: on an object it chooses it and moves it over the ground, on the arrow it moves up and down. */
  take(target: Entity | null, ray: Three.Ray, point: Three.Vector3 | null): Drag | null {
    if (!this.#enabled) return null;
    if (target === this.#el && this.#selected && point) return this.#drag(this.#selected, point, this.#facing(ray));
    if (target === this.#el) return null;
    this.select(target);
    return target && point ? this.#drag(target, point, this.#place.set(0, 1, 0)) : null;
  }

  tick(): void {
    if (this.#selected) this.#follow();
  }

  remove(): void {
    this.select(null);
    this.#el.removeObject3D("stoa-arrow");
    dispose(this.#arrow);
  }

  #follow(): void {
    if (!this.#selected) return;
    this.#outline?.update();
    this.#box.setFromObject(this.#selected.object3D);
    if (this.#box.isEmpty()) this.#selected.object3D.getWorldPosition(this.#arrow.position);
    else this.#box.getCenter(this.#arrow.position).setY(this.#box.max.y + 0.1);
  }

  /** Level, towards the viewer: the normal of the plane that the arrow is dragged in. */
  #facing(ray: Three.Ray): Three.Vector3 {
    this.#place.copy(ray.direction).setY(0);
    return this.#place.lengthSq() < 1e-6 ? this.#place.set(0, 0, 1) : this.#place.normalize();
  }

  #drag(target: Entity, point: Three.Vector3, normal: Three.Vector3): Drag {
    const level = normal.y === 1;
    const origin = target.object3D.getWorldPosition(new this.#aframe.THREE.Vector3());
    this.#plane.setFromNormalAndCoplanarPoint(normal, point);
    this.#grabbed.copy(point).sub(origin);
    this.#scene.emit(DRAGGING, true, false);
    let toldMs = this.#now();
    let moved = false;
    const move = (ray: Three.Ray): void => {
      const at = ray.intersectPlane(this.#plane, this.#place);
      if (!at || at.distanceToSquared(ray.origin) > REACH_M * REACH_M) return;
      at.sub(this.#grabbed);
      if (level) at.setY(origin.y);
      else at.set(origin.x, at.y, origin.z);
      if (!moved && at.distanceTo(origin) < 0.01) return;
      moved = true;
      target.object3D.parent?.worldToLocal(at);
      target.object3D.position.copy(at);
      if (this.#now() - toldMs < DRAG_INTERVAL_MS) return;
      toldMs = this.#now();
      this.#tell(target, false);
    };
    const end = (): void => {
      this.#scene.emit(DRAGGING, false, false);
      if (moved) this.#tell(target, true);
    };
    return { move, end };
  }

  #tell(target: Entity, final: boolean): void {
    const { x, y, z } = target.object3D.position;
    const detail: Move = { objectId: target.dataset.objectId ?? "", position: rounded(x, y, z), final };
    this.#scene.emit(MOVE, detail, false);
  }
}

/** Millimetres: what ARENA's clients send. */
function rounded(x: number, y: number, z: number): Xyz {
  const [mx, my, mz] = [x, y, z].map((part) => Math.round(part * 1_000) / 1_000);
  return { x: mx ?? 0, y: my ?? 0, z: mz ?? 0 };
}

function upArrow(aframe: AFrame): Three.Group {
  const { THREE } = aframe;
  const arrow = new THREE.Group();
  const shaft = coloured(aframe, new THREE.CylinderGeometry(0.025, 0.025, 0.35, 12), COLOR);
  shaft.position.y = 0.175;
  const tip = coloured(aframe, new THREE.ConeGeometry(0.08, 0.18, 20), COLOR);
  tip.position.y = 0.42;
  arrow.add(shaft, tip);
  return arrow;
}

/** Makes `stoa-edit-gizmo` known to A-Frame. */
export function registerEditGizmo(aframe: AFrame, now: Clock): void {
  aframe.registerComponent<EditSettings, EditGizmo>({
    name: "stoa-edit-gizmo",
    schema: { enabled: { type: "boolean", default: false } },
    create: (el) => {
      if (!el.sceneEl) throw new Error("stoa-edit-gizmo stands outside of a scene");
      return new EditGizmo(aframe, el, { scene: el.sceneEl, now });
    },
  });
}
