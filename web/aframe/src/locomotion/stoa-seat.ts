/** A seat: pressing the object sits the user down. Page: docs/components/stoa-seat.md */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import { isRemotePress } from "../pressing/remote-presses.ts";
import type { Xyz } from "../values.ts";

export interface SeatSettings {
  /** Centre of the seat surface in the object's space, in metres. */
  readonly offset: Xyz;
  /** Heading of the sitter in degrees about the up axis; 0 is along the object's -z. */
  readonly facing: number;
}

/** Event that requests the seat; its detail is a `SitRequest`. */
export const SIT = "stoa-sit";

/** A request to sit. */
export interface SitRequest {
  readonly place: SceneSittingPose;
  /** Aborts when the object or its seat component is removed: the user then stands up. */
  readonly gone: AbortSignal;
}

/** A seat's pose in scene space. */
export interface SceneSittingPose {
  readonly position: Xyz;
  /** About the up axis; 0 looks along -z. */
  readonly yawRad: number;
}

/** One seat. */
export class SeatBehaviour implements Behaviour<SeatSettings> {
  readonly #el: Entity;
  readonly #place: Three.Vector3;
  readonly #ahead: Three.Vector3;
  readonly #listening = new AbortController();
  #settings: SeatSettings = { offset: { x: 0, y: 0.45, z: 0 }, facing: 0 };

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#el = el;
    this.#place = new aframe.THREE.Vector3();
    this.#ahead = new aframe.THREE.Vector3();
    const { signal } = this.#listening;
    const call = (): SitRequest => ({ place: this.place, gone: signal });
    el.addEventListener("mousedown", (event) => isRemotePress(event) || el.emit(SIT, call(), true), { signal });
  }

  update(settings: SeatSettings): void {
    this.#settings = settings;
  }

  /** The seat's current pose. */
  get place(): SceneSittingPose {
    const { object3D } = this.#el;
    object3D.updateWorldMatrix(true, false);
    this.#place.copy(this.#settings.offset).applyMatrix4(object3D.matrixWorld);
    const facing = (this.#settings.facing * Math.PI) / 180;
    this.#ahead.set(-Math.sin(facing), 0, -Math.cos(facing)).transformDirection(object3D.matrixWorld);
    const { x, y, z } = this.#place;
    return { position: { x, y, z }, yawRad: Math.atan2(-this.#ahead.x, -this.#ahead.z) };
  }

  remove(): void {
    this.#listening.abort();
  }
}

/** Registers `stoa-seat`. */
export function registerSeat(aframe: AFrameAdapter): void {
  aframe.registerComponent<SeatSettings, SeatBehaviour>({
    name: "stoa-seat",
    schema: {
      offset: { type: "vec3", default: { x: 0, y: 0.45, z: 0 } },
      facing: { type: "number", default: 0 },
    },
    create: (el) => new SeatBehaviour(aframe, el),
  });
}
