/**
 * Sends an event when the user's head or hand enters or leaves an object's box: ARENA's `box-collision-listener`.
 * Page: docs/components/stoa-touch.md
 */
import type { ClientEvent, Side, Vector3 } from "@stoa/client";
import {
  type AFrameAdapter,
  type Behaviour,
  behaviourOf,
  type Entity,
  type SceneElement,
  type Three,
} from "../aframe.ts";
import { TOUCH_INTERVAL_MS } from "../limits.ts";
import { isInScene } from "../scene-graph.ts";
import { CLIENT_EVENT } from "./stoa-clickable.ts";
import { PointerBehaviour } from "./stoa-pointer.ts";

export interface TouchSettings {
  /** Whether the box is recomputed at each test, for moving objects. */
  readonly dynamic: boolean;
}

type TouchSource = "camera" | Side;

const SIDES = ["left", "right"] as const;

/** One object's touch box. */
export class TouchBehaviour implements Behaviour<TouchSettings> {
  readonly #el: Entity;
  readonly #box: Three.Box3;
  readonly #at: Three.Vector3;
  readonly #turn: Three.Quaternion;
  readonly #inside = new Set<TouchSource>();
  #pointer: PointerBehaviour | null = null;
  #isDynamic = false;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#el = el;
    this.#box = new aframe.THREE.Box3();
    this.#at = new aframe.THREE.Vector3();
    this.#turn = new aframe.THREE.Quaternion();
  }

  update({ dynamic }: TouchSettings): void {
    this.#isDynamic = dynamic;
    this.#box.makeEmpty();
  }

  tick(timeMs: number): void {
    const { object3D, sceneEl } = this.#el;
    if (timeMs - this.#lookedMs < TOUCH_INTERVAL_MS || !sceneEl) return;
    this.#lookedMs = timeMs;
    if (!isInScene(object3D)) this.#box.makeEmpty();
    // An object that hasn't loaded has an empty box.
    else if (this.#isDynamic || this.#box.isEmpty()) this.#box.setFromObject(object3D);
    sceneEl.camera?.getWorldPosition(this.#at);
    this.#test("camera", sceneEl.camera !== undefined);
    this.#pointer ??= pointerOf(sceneEl);
    for (const side of SIDES) this.#test(side, this.#pointer?.handPose(side, this.#at, this.#turn) ?? false);
  }

  remove(): void {
    this.#inside.clear();
  }

  /** Tests `#at`, the source's position, if the source exists. */
  #test(source: TouchSource, isThere: boolean): void {
    const isInside = isThere && this.#box.containsPoint(this.#at);
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

/** Only the pointer knows each controller's hand: three.js numbers controllers by connection order. */
function pointerOf(scene: SceneElement): PointerBehaviour | null {
  const rig = scene.querySelector("[stoa-pointer]");
  return rig && behaviourOf(rig, "stoa-pointer", PointerBehaviour);
}

/** Registers `stoa-touch`. */
export function registerTouch(aframe: AFrameAdapter): void {
  aframe.registerComponent<TouchSettings, TouchBehaviour>({
    name: "stoa-touch",
    schema: { dynamic: { type: "boolean", default: false } },
    create: (el) => new TouchBehaviour(aframe, el),
  });
}
