/** Tells when one's own head or a hand enters an object's box: ARENA's `box-collision-listener`. Page: docs/components/stoa-touch.md */
import type { ClientEvent, Side, Vector3 } from "@stoa/client";
import type { AFrame, Behaviour, Entity, Three } from "./aframe.ts";
import { TOUCH_INTERVAL_MS } from "./limits.ts";
import { CLIENT_EVENT } from "./stoa-clickable.ts";

/** The settings of `stoa-touch`. */
export interface TouchSettings {
  /** Whether the box is measured again each time: the object moves, or its parts do. */
  readonly dynamic: boolean;
}

type Source = "camera" | Side;

/** One object that can be touched. */
export class Touch implements Behaviour<TouchSettings> {
  readonly #el: Entity;
  readonly #box: Three.Box3;
  readonly #at: Three.Vector3;
  readonly #inside = new Set<Source>();
  #isDynamic = false;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(aframe: AFrame, el: Entity) {
    this.#el = el;
    this.#box = new aframe.THREE.Box3();
    this.#at = new aframe.THREE.Vector3();
  }

  update({ dynamic }: TouchSettings): void {
    this.#isDynamic = dynamic;
    this.#box.makeEmpty();
  }

  tick(timeMs: number): void {
    if (timeMs - this.#lookedMs < TOUCH_INTERVAL_MS || !this.#el.sceneEl) return;
    this.#lookedMs = timeMs;
    // What isn't loaded yet has no box.
    if (this.#isDynamic || this.#box.isEmpty()) this.#box.setFromObject(this.#el.object3D);
    this.#look("camera", this.#el.sceneEl.camera);
    const { xr } = this.#el.sceneEl.renderer;
    const sources = this.#el.sceneEl.xrSession?.inputSources ?? [];
    for (let at = 0; at < sources.length; at += 1) {
      const side = sources[at]?.handedness;
      if (side === "left" || side === "right") this.#look(side, xr.getControllerGrip(at));
    }
  }

  remove(): void {
    this.#inside.clear();
  }

  #look(source: Source, object: Three.Object3D | undefined): void {
    const isThere = object?.visible === true;
    const isInside = isThere && this.#box.containsPoint(object.getWorldPosition(this.#at));
    if (isInside === this.#inside.has(source)) return;
    if (isInside) this.#inside.add(source);
    else this.#inside.delete(source);
    const originPosition: Vector3 = [this.#at.x, this.#at.y, this.#at.z];
    this.#box.getCenter(this.#at);
    const event: ClientEvent = {
      type: isInside ? "collision-start" : "collision-end",
      target: this.#el.dataset.objectId ?? "",
      targetPosition: [this.#at.x, this.#at.y, this.#at.z],
      originPosition,
      source,
    };
    this.#el.emit(CLIENT_EVENT, event, true);
  }
}

/** Makes `stoa-touch` known to A-Frame. */
export function registerTouch(aframe: AFrame): void {
  aframe.registerComponent<TouchSettings, Touch>({
    name: "stoa-touch",
    schema: { dynamic: { type: "boolean", default: false } },
    create: (el) => new Touch(aframe, el),
  });
}
