/** A portal to another scene, entered by walking into it or by a press. Page: docs/components/stoa-portal.md */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import { PORTAL_HEIGHT_M } from "../limits.ts";
import { isRemotePress } from "../pressing/remote-presses.ts";
import { isInScene } from "../scene-graph.ts";

export interface PortalSettings {
  /** `<namespace>/<scene>` */
  readonly scene: string;
  /** The landmark to arrive at; empty: the scene's start. */
  readonly landmark: string;
  /** Trigger radius in metres; 0: only a press triggers it. */
  readonly radius: number;
}

/** Event that requests a change of scene; its detail is a `Journey`. */
export const TRAVEL = "stoa-travel";

/** A scene of this realm and a landmark in it. */
export interface Journey {
  readonly scene: string;
  readonly landmark: string;
}

/** One portal. */
export class PortalBehaviour implements Behaviour<PortalSettings> {
  readonly #el: Entity;
  readonly #here: Three.Vector3;
  readonly #eyes: Three.Vector3;
  readonly #listening = new AbortController();
  #settings: PortalSettings = { scene: "", landmark: "", radius: 0 };
  /** A user who arrives within a portal must leave it before it triggers. */
  #wasOutside = false;

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#el = el;
    this.#here = new aframe.THREE.Vector3();
    this.#eyes = new aframe.THREE.Vector3();
    el.addEventListener("mousedown", (event) => isRemotePress(event) || this.#travel(), {
      signal: this.#listening.signal,
    });
  }

  update(settings: PortalSettings): void {
    this.#settings = settings;
  }

  tick(): void {
    const camera = this.#el.sceneEl?.camera;
    if (!camera || this.#settings.radius <= 0) return;
    if (!isInScene(this.#el.object3D)) {
      this.#wasOutside = false;
      return;
    }
    this.#el.object3D.getWorldPosition(this.#here);
    camera.getWorldPosition(this.#eyes).sub(this.#here);
    const isNear = Math.hypot(this.#eyes.x, this.#eyes.z) < this.#settings.radius;
    const isInside = isNear && Math.abs(this.#eyes.y) < PORTAL_HEIGHT_M;
    if (isInside && this.#wasOutside) this.#travel();
    this.#wasOutside = !isInside;
  }

  remove(): void {
    this.#listening.abort();
  }

  #travel(): void {
    const { scene, landmark } = this.#settings;
    const journey: Journey = { scene, landmark };
    this.#el.emit(TRAVEL, journey, true);
  }
}

/** Registers `stoa-portal`. */
export function registerPortal(aframe: AFrameAdapter): void {
  aframe.registerComponent<PortalSettings, PortalBehaviour>({
    name: "stoa-portal",
    schema: {
      scene: { type: "string", default: "" },
      landmark: { type: "string", default: "" },
      radius: { type: "number", default: 1 },
    },
    create: (el) => new PortalBehaviour(aframe, el),
  });
}
