/** Selects, moves, rotates and scales objects in edit mode. Page: docs/components/stoa-edit-gizmo.md */
import type { AFrameAdapter, Behaviour, Entity, SceneElement, Three } from "../aframe.ts";
import type { Clock } from "../clock.ts";
import { DRAG_INTERVAL_MS, DRAGGED_FROM_M, GIZMO_VIEW_PART, TURNED_RAD } from "../limits.ts";
import type { CapturedPress } from "../pressing/stoa-pointer.ts";
import type { Xyz } from "../values.ts";
import { type GizmoAxes, GizmoDrag, type GizmoDragOptions, type GizmoMode } from "./gizmo-drag.ts";
import { axesOf, handlesFor, removeHandles } from "./gizmo-handles.ts";
import { type HandSpace, SelectionGrab } from "./hand-grab.ts";
import { HoldOutlines, type RemoteHold } from "./hold-outlines.ts";
import { type Body, boundsOf } from "./object-bounds.ts";
import { thumbnailOf } from "./thumbnail.ts";

export interface EditSettings {
  readonly enabled: boolean;
  /** `move`, `turn` or `size`. */
  readonly mode: string;
  /** Whether to use the object's local axes instead of the scene's. */
  readonly own: boolean;
  /** Snap increment of a move in metres; 0 is none. Any other value also snaps the scale to steps of a tenth. */
  readonly grid: number;
  /** Snap increment of a rotation in degrees; 0 is none. */
  readonly angle: number;
  /** Whether a press adds to the selection. */
  readonly adds: boolean;
}

/** Scene event of a changed selection; its detail is a `Selection`. */
export const SELECT = "stoa-select";
/** Event of moved, rotated or scaled objects; its detail is a `Move`. */
export const MOVE = "stoa-move";
/** Event of a drag's start (`true`) or end (`false`). */
export const DRAGGING = "stoa-dragging";

/** The current selection; `objectId` is the object selected last. */
export interface Selection {
  readonly objectId: string | null;
  readonly objectIds: readonly string[];
}

/** The changed parts of an object's transform, in its parent's space. */
export interface Moved {
  readonly objectId: string;
  readonly position?: Xyz;
  readonly rotation?: Xyz & { readonly w: number };
  readonly scale?: Xyz;
}

/** The new transforms of all dragged objects. */
export interface Move {
  readonly moves: readonly Moved[];
  /** False while the drag continues. */
  readonly final: boolean;
}

const COLOR = "#3b82f6";

interface DragStartTransform {
  readonly el: Entity;
  readonly place: Three.Vector3;
  readonly turn: Three.Quaternion;
  readonly scale: Three.Vector3;
  readonly parentTurn: Three.Quaternion;
}

/** Selection outlines and the gizmo's handles. */
export class EditGizmoBehaviour implements Behaviour<EditSettings> {
  /** Whether an object may be dragged; a locked object can still be selected. */
  isMovable: (el: Entity) => boolean = () => true;
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #scene: SceneElement;
  readonly #now: Clock;
  readonly #holder: Three.Group;
  readonly #place: Three.Vector3;
  readonly #holdOutlines: HoldOutlines;
  #handles: Three.Group;
  #outlines: Three.BoxHelper[] = [];
  #selected: readonly Entity[] = [];
  #settings: EditSettings = SETTINGS;
  #grab: SelectionGrab | null = null;

  constructor(aframe: AFrameAdapter, el: Entity, options: { readonly scene: SceneElement; readonly now: Clock }) {
    this.#aframe = aframe;
    this.#el = el;
    this.#scene = options.scene;
    this.#now = options.now;
    this.#holdOutlines = new HoldOutlines(aframe, options.scene);
    this.#holder = new aframe.THREE.Group();
    this.#holder.visible = false;
    this.#handles = handlesFor(aframe, "move");
    this.#holder.add(this.#handles);
    this.#place = new aframe.THREE.Vector3();
    el.setObject3D("stoa-handles", this.#holder);
  }

  /** The three.js object of the gizmo's handles: a raycast target besides the objects. */
  get handle(): Three.Object3D {
    return this.#holder;
  }

  /** The selected entities. */
  get selected(): readonly Entity[] {
    return this.#selected;
  }

  /** Whether at least one hand holds the selection. */
  get isHeld(): boolean {
    return this.#grab !== null;
  }

  get isHeldTwice(): boolean {
    return this.#grab?.hands === 2;
  }

  update(settings: EditSettings): void {
    const mode = modeOf(settings);
    if (mode !== modeOf(this.#settings)) {
      removeHandles(this.#handles);
      this.#handles = handlesFor(this.#aframe, mode);
      this.#holder.add(this.#handles);
    }
    // A-Frame passes the same object each time and mutates it.
    this.#settings = { ...settings };
    if (!settings.enabled) this.select([]);
    this.#updateHandles();
  }

  /** Outlines the objects that other people have selected. */
  showHeld(holds: readonly RemoteHold[]): void {
    this.#holdOutlines.show(holds);
  }

  /** A thumbnail of an object. */
  picture(el: Entity, pixels: number): Promise<Blob | null> {
    return thumbnailOf(this.#aframe, this.#scene, { el, pixels });
  }

  /** The bounds of objects. */
  bodies(els: Iterable<Entity>): readonly Body[] {
    return boundsOf(this.#aframe.THREE, els);
  }

  /** Selects objects, or none; emits an event on a change. */
  select(targets: readonly Entity[]): void {
    const before = this.#selected;
    if (targets.length === before.length && targets.every((target, at) => target === before[at])) return;
    this.#selected = [...targets];
    this.#forgetOutlines();
    this.#outlines = targets.map((target) => new this.#aframe.THREE.BoxHelper(target.object3D, COLOR));
    if (this.#outlines.length > 0) this.#scene.object3D.add(...this.#outlines);
    this.#updateHandles();
    const objectIds = targets.flatMap(({ dataset }) => dataset.objectId ?? []);
    const detail: Selection = { objectId: objectIds.at(-1) ?? null, objectIds };
    this.#scene.emit(SELECT, detail, false);
  }

  /**
   * Handles a press in edit mode. On an object it selects the object and starts a horizontal drag, or with `adds` only
   * changes the selection. On a handle it starts the handle's drag. In empty space it deselects.
   */
  take(target: Entity | null, ray: Three.Ray, press: EditorPressHit): CapturedPress | null {
    if (!this.#settings.enabled) return null;
    if (target === this.#el) {
      const axes = press.object ? axesOf(press.object) : null;
      return axes ? this.#drag(this.#dragOptions(modeOf(this.#settings), axes), ray) : null;
    }
    const adds = press.adds || this.#settings.adds;
    if (adds && target) {
      const without = this.#selected.filter((one) => one !== target);
      this.select(without.length === this.#selected.length ? [...without, target] : without);
      return null;
    }
    if (target === null || !this.#selected.includes(target)) this.select(target ? [target] : []);
    if (!target || !press.point) return null;
    const level: GizmoDragOptions = { ...this.#dragOptions("move", "xz"), turned: new this.#aframe.THREE.Quaternion() };
    // The drag starts at the hit point, not at the object's centre.
    return this.#drag(level, ray, press.point);
  }

  /** Grabs an object, with the whole selection if it is selected. The other hand can join. */
  grab(target: Entity | null, hand: HandSpace): CapturedPress | null {
    if (!this.#settings.enabled || !target || target === this.#el) return null;
    // The other hand can only join the same grab.
    if (this.#grab && !this.#selected.includes(target)) return null;
    if (!this.#selected.includes(target)) this.select([target]);
    const isNew = this.#grab === null;
    const free = this.#free;
    const grab = this.#grab ?? (free.length > 0 ? new SelectionGrab(this.#aframe, free) : null);
    if (!grab?.hold(hand)) return null;
    this.#grab = grab;
    if (isNew) this.#scene.emit(DRAGGING, true, false);
    let emittedMs = this.#now();
    const move = (): void => {
      grab.move(this.#settings.grid);
      if (this.#now() - emittedMs < DRAG_INTERVAL_MS) return;
      emittedMs = this.#now();
      this.#emitGrab(grab, false);
    };
    const end = (): void => {
      if (!grab.release(hand)) return;
      this.#grab = null;
      this.#scene.emit(DRAGGING, false, false);
      this.#emitGrab(grab, true);
    };
    return { move, end };
  }

  #emitGrab(grab: SelectionGrab, final: boolean): void {
    // A removed object has no position to report.
    const there = grab.els.filter(({ parentNode }) => parentNode !== null);
    if (there.length === 0) return;
    const moves = there.map((el): Moved => {
      const placed = { ...movedOf(el, "turn", true), position: rounded(el.object3D.position) };
      return grab.wasSized ? { ...placed, scale: rounded(el.object3D.scale) } : placed;
    });
    const detail: Move = { moves, final };
    this.#scene.emit(MOVE, detail, false);
  }

  tick(): void {
    this.#holdOutlines.tick();
    if (this.#selected.length > 0) this.#updateHandles();
  }

  remove(): void {
    this.#holdOutlines.show([]);
    this.select([]);
    this.#el.removeObject3D("stoa-handles");
    removeHandles(this.#handles);
  }

  /** The objects to drag: selected, not locked, and without a selected ancestor. */
  get #free(): Entity[] {
    const objects = this.#selected.map(({ object3D }) => object3D);
    const isBelow = ({ object3D }: Entity): boolean => {
      for (let at = object3D.parent; at; at = at.parent) if (objects.some((object) => object === at)) return true;
      return false;
    };
    return this.#selected.filter((el) => this.isMovable(el) && !isBelow(el));
  }

  #forgetOutlines(): void {
    for (const outline of this.#outlines) {
      outline.removeFromParent();
      outline.dispose();
    }
    this.#outlines = [];
  }

  /** Centres the handles on the selection and scales them to a constant apparent size. */
  #updateHandles(): void {
    const free = this.#free;
    this.#holder.visible = this.#settings.enabled && free.length > 0;
    for (const outline of this.#outlines) outline.update();
    if (!this.#holder.visible) return;
    this.#pivot(free, this.#holder.position);
    this.#holder.quaternion.copy(this.#orientation(free));
    const { camera } = this.#scene;
    if (!camera) return;
    const distance = camera.getWorldPosition(this.#place).distanceTo(this.#holder.position);
    this.#holder.scale.setScalar(Math.max(distance * GIZMO_VIEW_PART, 0.05));
    this.#holder.updateMatrixWorld();
  }

  #pivot(free: readonly Entity[], into: Three.Vector3): Three.Vector3 {
    into.set(0, 0, 0);
    for (const { object3D } of free) into.add(object3D.getWorldPosition(this.#place));
    return into.divideScalar(free.length || 1);
  }

  /** Scaling always uses local axes: scaling along another axis would shear the object. */
  #orientation(free: readonly Entity[]): Three.Quaternion {
    const turned = new this.#aframe.THREE.Quaternion();
    const last = free.at(-1);
    const own = this.#settings.own || modeOf(this.#settings) === "size";
    return own && last ? last.object3D.getWorldQuaternion(turned) : turned;
  }

  #dragOptions(mode: GizmoMode, axes: GizmoAxes): GizmoDragOptions {
    const free = this.#free;
    const snapping = { gridM: this.#settings.grid, angleDeg: this.#settings.angle };
    const pivot = this.#pivot(free, new this.#aframe.THREE.Vector3());
    return { mode, axes, pivot, turned: this.#orientation(free), snapping };
  }

  #drag(options: GizmoDragOptions, ray: Three.Ray, hitPoint?: Three.Vector3): CapturedPress | null {
    const starts = this.#free.map((el) => this.#startOf(el));
    if (starts.length === 0) return null;
    const drag = new GizmoDrag(this.#aframe, options, ray, hitPoint);
    this.#scene.emit(DRAGGING, true, false);
    let emittedMs = this.#now();
    let moved = false;
    const move = (now: Three.Ray): void => {
      if (!drag.move(now) || (!moved && isNothing(drag))) return;
      moved = true;
      for (const start of starts) this.#apply(start, options, drag);
      if (this.#now() - emittedMs < DRAG_INTERVAL_MS) return;
      emittedMs = this.#now();
      this.#emitMove(starts, { mode: options.mode, final: false });
    };
    const end = (): void => {
      this.#scene.emit(DRAGGING, false, false);
      if (moved) this.#emitMove(starts, { mode: options.mode, final: true });
    };
    return { move, end };
  }

  #startOf(el: Entity): DragStartTransform {
    const { Quaternion, Vector3 } = this.#aframe.THREE;
    const { object3D } = el;
    return {
      el,
      place: object3D.getWorldPosition(new Vector3()),
      turn: object3D.getWorldQuaternion(new Quaternion()),
      scale: object3D.scale.clone(),
      parentTurn: object3D.parent?.getWorldQuaternion(new Quaternion()).invert() ?? new Quaternion(),
    };
  }

  #apply(
    { el, place, turn, scale, parentTurn }: DragStartTransform,
    { mode, pivot }: GizmoDragOptions,
    { change }: GizmoDrag,
  ): void {
    const { object3D } = el;
    const at = this.#place.copy(place);
    if (mode === "move") at.add(change.shift);
    if (mode === "turn") at.sub(pivot).applyQuaternion(change.turn).add(pivot);
    object3D.parent?.worldToLocal(at);
    object3D.position.copy(at);
    if (mode === "turn") object3D.quaternion.copy(turn).premultiply(change.turn).premultiply(parentTurn);
    if (mode === "size") object3D.scale.copy(scale).multiply(change.factors);
  }

  #emitMove(
    starts: readonly DragStartTransform[],
    { mode, final }: { readonly mode: GizmoMode; readonly final: boolean },
  ): void {
    const moves = starts.map(({ el }) => movedOf(el, mode, starts.length > 1));
    const detail: Move = { moves, final };
    this.#scene.emit(MOVE, detail, false);
  }
}

/** The hit and modifiers of a press. */
export interface EditorPressHit {
  readonly object: Three.Object3D | null;
  readonly point: Three.Vector3 | null;
  /** Whether a modifier key adds to the selection. */
  readonly adds: boolean;
}

/** The defaults. */
const SETTINGS: EditSettings = { enabled: false, mode: "move", own: false, grid: 0, angle: 0, adds: false };

function modeOf({ mode }: EditSettings): GizmoMode {
  return mode === "turn" || mode === "size" ? mode : "move";
}

function isNothing({ change }: GizmoDrag): boolean {
  const { shift, turn, factors } = change;
  const grown = Math.max(Math.abs(factors.x - 1), Math.abs(factors.y - 1), Math.abs(factors.z - 1));
  return shift.length() < DRAGGED_FROM_M && 2 * Math.acos(Math.min(1, Math.abs(turn.w))) < TURNED_RAD && grown < 0.01;
}

/** The changed parts of an object after a drag. Rotating several objects changes their positions too. */
function movedOf({ dataset, object3D }: Entity, mode: GizmoMode, several: boolean): Moved {
  const objectId = dataset.objectId ?? "";
  const { position, quaternion: turned, scale } = object3D;
  if (mode === "move") return { objectId, position: rounded(position) };
  if (mode === "size") return { objectId, scale: rounded(scale) };
  const part = (value: number): number => Math.round(value * 1e5) / 1e5 || 0;
  const rotation = { x: part(turned.x), y: part(turned.y), z: part(turned.z), w: part(turned.w) };
  return { objectId, ...(several && { position: rounded(position) }), rotation };
}

/** Rounds to thousandths, positions thus to millimetres, like ARENA's clients. */
function rounded({ x, y, z }: Xyz): Xyz {
  const [mx, my, mz] = [x, y, z].map((part) => Math.round(part * 1_000) / 1_000 || 0);
  return { x: mx ?? 0, y: my ?? 0, z: mz ?? 0 };
}

/** Registers `stoa-edit-gizmo`. */
export function registerEditGizmo(aframe: AFrameAdapter, now: Clock): void {
  aframe.registerComponent<EditSettings, EditGizmoBehaviour>({
    name: "stoa-edit-gizmo",
    schema: {
      enabled: { type: "boolean", default: SETTINGS.enabled },
      mode: { type: "string", default: SETTINGS.mode },
      own: { type: "boolean", default: SETTINGS.own },
      grid: { type: "number", default: SETTINGS.grid },
      angle: { type: "number", default: SETTINGS.angle },
      adds: { type: "boolean", default: SETTINGS.adds },
    },
    create: (el) => {
      if (!el.sceneEl) throw new Error("stoa-edit-gizmo must be inside an a-scene");
      return new EditGizmoBehaviour(aframe, el, { scene: el.sceneEl, now });
    },
  });
}
