/**
 * Converts pointer rays to the translation, rotation or scale of a gizmo drag, in scene space. Independent of scene
 * and page.
 */
import type { AFrameAdapter, Three } from "../aframe.ts";
import { REACH_M, SCALE_FACTOR } from "../limits.ts";

/** The gizmo's operation. */
export type GizmoMode = "move" | "turn" | "size";
/** The axes of a handle: one, two (a plane) or all. */
export type GizmoAxes = "x" | "y" | "z" | "xy" | "xz" | "yz" | "xyz";

/** Snap increments of a drag; 0 disables snapping. */
export interface Snapping {
  readonly gridM: number;
  readonly angleDeg: number;
}

/** The handle and frame of a drag. */
export interface GizmoDragOptions {
  readonly mode: GizmoMode;
  readonly axes: GizmoAxes;
  /** The centre of the dragged objects. */
  readonly pivot: Three.Vector3;
  /** Orientation of the gizmo's axes. */
  readonly turned: Three.Quaternion;
  readonly snapping: Snapping;
}

/** The change since the start of the drag. */
export interface GizmoChange {
  readonly shift: Three.Vector3;
  readonly turn: Three.Quaternion;
  readonly factors: Three.Vector3;
}

/** One drag. */
export class GizmoDrag {
  readonly change: GizmoChange;
  readonly #aframe: AFrameAdapter;
  readonly #options: GizmoDragOptions;
  readonly #axis: Three.Vector3;
  readonly #plane: Three.Plane;
  readonly #began: Three.Vector3;
  readonly #at: Three.Vector3;
  readonly #scratch: Three.Vector3;

  /**
   * `from` is the ray at the start. `hitPoint` is the point at which `from` hits an object, for drags that don't start
   * on the gizmo.
   */
  constructor(
    aframe: AFrameAdapter,
    options: GizmoDragOptions,
    from: Three.Ray,
    hitPoint: Three.Vector3 = options.pivot,
  ) {
    const { THREE } = aframe;
    this.#aframe = aframe;
    this.#options = options;
    this.change = {
      shift: new THREE.Vector3(),
      turn: new THREE.Quaternion(),
      factors: new THREE.Vector3(1, 1, 1),
    };
    this.#scratch = new THREE.Vector3();
    this.#axis = axisOf(aframe, options);
    this.#plane = this.#planeFor(from, hitPoint);
    this.#began = new THREE.Vector3();
    this.#at = new THREE.Vector3();
    if (!from.intersectPlane(this.#plane, this.#began)) this.#began.copy(hitPoint);
  }

  /** Applies a ray. Returns false and keeps the change if the ray misses the drag plane or meets it too far away. */
  move(ray: Three.Ray): boolean {
    const at = ray.intersectPlane(this.#plane, this.#at);
    if (at === null || at.distanceToSquared(ray.origin) > REACH_M * REACH_M) return false;
    switch (this.#options.mode) {
      case "move":
        this.#shift(at);
        return true;
      case "turn":
        this.#turn(at);
        return true;
      case "size":
        this.#size(at);
        return true;
    }
  }

  get #isLine(): boolean {
    return this.#options.axes.length === 1;
  }

  /**
   * The plane in which the pointer is tracked: of the ring, of the two axes, across the ray for all three axes, or
   * through the single axis and facing the eyes.
   */
  #planeFor(ray: Three.Ray, hitPoint: Three.Vector3): Three.Plane {
    const { THREE } = this.#aframe;
    const { mode, axes } = this.#options;
    const normal = new THREE.Vector3();
    if (mode === "turn" || axes.length === 2) normal.copy(this.#axis);
    else if (axes === "xyz") normal.copy(ray.direction);
    else {
      // The part of the view direction across the axis.
      normal.copy(ray.direction).addScaledVector(this.#axis, -ray.direction.dot(this.#axis));
      if (normal.lengthSq() < 1e-6) normal.set(this.#axis.y, this.#axis.z, this.#axis.x);
    }
    return new THREE.Plane().setFromNormalAndCoplanarPoint(normal.normalize(), hitPoint);
  }

  #shift(at: Three.Vector3): void {
    const { shift } = this.change;
    const { pivot, snapping, turned } = this.#options;
    shift.copy(at).sub(this.#began);
    if (this.#isLine) shift.copy(this.#axis).multiplyScalar(this.#scratch.copy(at).sub(this.#began).dot(this.#axis));
    if (snapping.gridM <= 0) return;
    if (this.#isLine) {
      // Along local axes, snaps the distance; along the scene's axes, snaps to the grid.
      const along = shift.dot(this.#axis);
      const start = isUpright(turned) ? pivot.dot(this.#axis) : 0;
      shift.copy(this.#axis).multiplyScalar(snap(start + along, snapping.gridM) - start);
      return;
    }
    if (!isUpright(turned)) {
      // Along local axes, snaps the distance along each.
      shift.applyQuaternion(turned.clone().invert());
      for (const key of ["x", "y", "z"] as const) shift[key] = snap(shift[key], snapping.gridM);
      shift.applyQuaternion(turned);
      return;
    }
    for (const key of ["x", "y", "z"] as const)
      if (Math.abs(shift[key]) > 1e-9) shift[key] = snap(pivot[key] + shift[key], snapping.gridM) - pivot[key];
  }

  #turn(at: Three.Vector3): void {
    const { pivot, snapping } = this.#options;
    const began = this.#scratch.copy(this.#began).sub(pivot);
    const now = at.sub(pivot);
    const cross = began.clone().cross(now).dot(this.#axis);
    const angle = Math.atan2(cross, began.dot(now));
    const step = (snapping.angleDeg * Math.PI) / 180;
    this.change.turn.setFromAxisAngle(this.#axis, step > 0 ? snap(angle, step) : angle);
  }

  #size(at: Three.Vector3): void {
    const { axes, pivot, snapping } = this.#options;
    const began = this.#scratch.copy(this.#began).sub(pivot);
    const now = at.sub(pivot);
    const [from, to] = this.#isLine ? [began.dot(this.#axis), now.dot(this.#axis)] : [began.length(), now.length()];
    const asked = Math.abs(from) < 1e-4 ? 1 : to / from;
    // With snapping, scales in steps of a tenth.
    const stepped = snapping.gridM > 0 ? Math.max(0.1, snap(asked, 0.1)) : asked;
    const factor = Math.min(Math.max(stepped, SCALE_FACTOR.min), SCALE_FACTOR.max);
    this.change.factors.set(1, 1, 1);
    for (const key of ["x", "y", "z"] as const) if (axes.includes(key)) this.change.factors[key] = factor;
  }
}

function snap(value: number, step: number): number {
  return Math.round(value / step) * step;
}

function isUpright({ w }: Three.Quaternion): boolean {
  return Math.abs(w) > 0.999_999;
}

/** The axis itself, or for a plane its normal; for all axes the first. */
function axisOf({ THREE }: AFrameAdapter, { axes, turned }: GizmoDragOptions): Three.Vector3 {
  const named = axes.length === 2 ? (["x", "y", "z"] as const).find((key) => !axes.includes(key)) : axes[0];
  const axis = new THREE.Vector3(named === "x" ? 1 : 0, named === "y" ? 1 : 0, named === "z" ? 1 : 0);
  return axis.applyQuaternion(turned);
}
