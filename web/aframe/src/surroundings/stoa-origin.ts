/** Marks the scene's origin on the floor: ARENA's `originMarker`. Page: docs/components/stoa-origin.md */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import { ORIGIN_MARK_M } from "../limits.ts";
import { dispose } from "../meshes.ts";

export interface OriginMarkerSettings {
  readonly shown: boolean;
}

const MARK = "stoa-origin";
/** By convention x is red and z is blue. */
const X_COLOR = "#e5484d";
const Z_COLOR = "#3b82f6";
const RING_COLOR = "#94a3b8";
/** Above floors at height zero, against z-fighting. */
const ABOVE_M = 0.01;

export class OriginMarkerBehaviour implements Behaviour<OriginMarkerSettings> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#aframe = aframe;
    this.#el = el;
  }

  update({ shown }: OriginMarkerSettings): void {
    this.remove();
    if (shown) this.#el.setObject3D(MARK, this.#mark());
  }

  remove(): void {
    const mark = this.#el.getObject3D(MARK);
    if (!mark) return;
    this.#el.removeObject3D(MARK);
    dispose(mark);
  }

  /** A ring, and an arrow along each horizontal axis. */
  #mark(): Three.Object3D {
    const { THREE } = this.#aframe;
    const flat = (geometry: Three.BufferGeometry, color: string): Three.Mesh => {
      const paint = new THREE.MeshBasicMaterial({ color, side: THREE.DoubleSide, fog: false });
      return new THREE.Mesh(geometry.rotateX(-Math.PI / 2), paint);
    };
    const arrow = (): Three.BufferGeometry => {
      const half = 0.02 * ORIGIN_MARK_M;
      const shape = new THREE.Shape();
      shape
        .moveTo(0, -half)
        .lineTo(0.75 * ORIGIN_MARK_M, -half)
        .lineTo(0.75 * ORIGIN_MARK_M, -4 * half);
      shape
        .lineTo(ORIGIN_MARK_M, 0)
        .lineTo(0.75 * ORIGIN_MARK_M, 4 * half)
        .lineTo(0.75 * ORIGIN_MARK_M, half)
        .lineTo(0, half);
      return new THREE.ShapeGeometry(shape);
    };
    const ring = flat(new THREE.RingGeometry(0.45 * ORIGIN_MARK_M, 0.5 * ORIGIN_MARK_M, 32), RING_COLOR);
    const z = flat(arrow(), Z_COLOR);
    z.rotation.y = -Math.PI / 2;
    const mark = new THREE.Group().add(ring, flat(arrow(), X_COLOR), z);
    mark.position.y = ABOVE_M;
    return mark;
  }
}

/** Registers `stoa-origin`. */
export function registerOrigin(aframe: AFrameAdapter): void {
  aframe.registerComponent<OriginMarkerSettings, OriginMarkerBehaviour>({
    name: "stoa-origin",
    schema: { shown: { type: "boolean", default: false } },
    create: (el) => new OriginMarkerBehaviour(aframe, el),
  });
}
