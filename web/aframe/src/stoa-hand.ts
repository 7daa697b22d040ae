/** A hand of somebody else, moved smoothly. Page: docs/components/stoa-hand.md */
import type { Pose } from "@stoa/client";
import type { AFrame, Behaviour, Entity, Three } from "./aframe.ts";
import { coloured, dispose } from "./meshes.ts";
import { type Clock, Moving } from "./moving.ts";
import { color as colorOf } from "./values.ts";

/** The settings of `stoa-hand`. */
export interface HandSettings {
  readonly color: string;
}

const HAND = "stoa-hand";
const DEFAULT_COLOR = "#4f7cac";

/** One hand. */
export class HandShape implements Behaviour<HandSettings> {
  readonly #aframe: AFrame;
  readonly #el: Entity;
  readonly #moving: Moving;

  constructor(aframe: AFrame, el: Entity, now: Clock) {
    this.#aframe = aframe;
    this.#el = el;
    this.#moving = new Moving(el, now);
  }

  update(settings: HandSettings): void {
    this.remove();
    this.#el.setObject3D(HAND, handMesh(this.#aframe, colorOf(settings.color) ?? DEFAULT_COLOR));
  }

  /** Takes a pose that has just arrived. */
  push(pose: Pose): void {
    this.#moving.push(pose);
  }

  tick(): void {
    this.#moving.tick();
  }

  remove(): void {
    const hand = this.#el.getObject3D(HAND);
    if (!hand) return;
    this.#el.removeObject3D(HAND);
    dispose(hand);
  }
}

/** A palm and a pointing finger along -z: also what the own controllers look like. */
export function handMesh(aframe: AFrame, color: string): Three.Group {
  const { THREE } = aframe;
  const hand = new THREE.Group();
  const palm = coloured(aframe, new THREE.SphereGeometry(0.045, 16, 12), color);
  palm.scale.set(0.9, 0.6, 1.2);
  const finger = coloured(aframe, new THREE.CapsuleGeometry(0.011, 0.06, 4, 10), color);
  finger.rotation.x = Math.PI / 2;
  finger.position.set(0, 0.008, -0.075);
  hand.add(palm, finger);
  return hand;
}

/** Makes `stoa-hand` known to A-Frame. */
export function registerHand(aframe: AFrame, now: Clock): void {
  aframe.registerComponent<HandSettings, HandShape>({
    name: "stoa-hand",
    schema: { color: { type: "string", default: DEFAULT_COLOR } },
    create: (el) => new HandShape(aframe, el, now),
  });
}
