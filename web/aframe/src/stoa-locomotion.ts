/** Walking: keys, a touch pad of the page, thumbsticks. Stands on the rig. Page: docs/components/stoa-locomotion.md */
import type { AFrame, Behaviour, Entity, Three } from "./aframe.ts";
import { DEAD_ZONE, SNAP_AT, STEP_MAX_S, WALK_M_PER_S } from "./limits.ts";

/** The settings of `stoa-locomotion`. */
export interface LocomotionSettings {
  readonly enabled: boolean;
  /** Metres a second. */
  readonly speed: number;
}

const SNAP_RAD = Math.PI / 6;

const KEYS: Readonly<Record<string, readonly [x: number, z: number]>> = {
  KeyW: [0, -1],
  ArrowUp: [0, -1],
  KeyS: [0, 1],
  ArrowDown: [0, 1],
  KeyA: [-1, 0],
  ArrowLeft: [-1, 0],
  KeyD: [1, 0],
  ArrowRight: [1, 0],
};

/** Moves the rig. */
export class Locomotion implements Behaviour<LocomotionSettings> {
  readonly #el: Entity;
  readonly #step: Three.Vector3;
  readonly #pivot: Three.Vector3;
  readonly #up: Three.Vector3;
  readonly #facing: Three.Quaternion;
  readonly #pressed = new Set<string>();
  readonly #listening = new AbortController();
  #settings: LocomotionSettings = { enabled: true, speed: WALK_M_PER_S };
  #padX = 0;
  #padZ = 0;
  #snapped = false;

  constructor(aframe: AFrame, el: Entity) {
    this.#el = el;
    this.#step = new aframe.THREE.Vector3();
    this.#pivot = new aframe.THREE.Vector3();
    this.#up = new aframe.THREE.Vector3(0, 1, 0);
    this.#facing = new aframe.THREE.Quaternion();
    const page = el.ownerDocument.defaultView;
    const { signal } = this.#listening;
    page?.addEventListener("keydown", (event) => this.#down(event), { signal });
    page?.addEventListener("keyup", (event) => this.#pressed.delete(event.code), { signal });
    page?.addEventListener("blur", () => this.#pressed.clear(), { signal });
  }

  update(settings: LocomotionSettings): void {
    this.#settings = settings;
    if (!settings.enabled) this.#pressed.clear();
  }

  /** For a touch pad: -1 to 1 each, x to the right, z backwards; 0, 0 stands still. */
  setMove(x: number, z: number): void {
    this.#padX = clamp(x);
    this.#padZ = clamp(z);
  }

  tick(_timeMs: number, deltaMs: number): void {
    const camera = this.#el.sceneEl?.camera;
    if (!this.#settings.enabled || !camera) return;
    this.#step.set(this.#padX, 0, this.#padZ);
    for (const code of this.#pressed) this.#add(code);
    this.#sticks(camera);
    if (this.#step.lengthSq() < 1e-6) return;
    if (this.#step.lengthSq() > 1) this.#step.normalize();
    camera.getWorldQuaternion(this.#facing);
    this.#step.applyQuaternion(this.#facing).setY(0);
    // Looking straight down leaves nothing of "forward"; standing still is better than a jump.
    if (this.#step.lengthSq() < 1e-6) return;
    this.#step.multiplyScalar(this.#settings.speed * Math.min(STEP_MAX_S, deltaMs / 1_000));
    this.#el.object3D.position.add(this.#step);
  }

  remove(): void {
    this.#listening.abort();
    this.#pressed.clear();
  }

  #down(event: KeyboardEvent): void {
    const busy = event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target);
    if (busy || !this.#settings.enabled || !Object.hasOwn(KEYS, event.code)) return;
    this.#pressed.add(event.code);
    if (event.code.startsWith("Arrow")) event.preventDefault();
  }

  #add(code: string): void {
    const way = KEYS[code];
    if (!way) return;
    this.#step.x += way[0];
    this.#step.z += way[1];
  }

  /** The left stick walks, the right one turns by 30° at a time: smooth turning makes people sick. */
  #sticks(camera: Three.Object3D): void {
    const sources = this.#el.sceneEl?.xrSession?.inputSources;
    if (!sources) return;
    for (let at = 0; at < sources.length; at += 1) {
      const source = sources[at];
      const axes = source?.gamepad?.axes;
      const [x, y] = [axes?.[2] ?? 0, axes?.[3] ?? 0];
      if (source?.handedness === "right") this.#snap(x, camera);
      else if (Math.hypot(x, y) > DEAD_ZONE) this.#step.set(this.#step.x + x, 0, this.#step.z + y);
    }
  }

  #snap(x: number, camera: Three.Object3D): void {
    if (Math.abs(x) < SNAP_AT) {
      this.#snapped = false;
      return;
    }
    if (this.#snapped) return;
    this.#snapped = true;
    const angle = x > 0 ? -SNAP_RAD : SNAP_RAD;
    const rig = this.#el.object3D;
    camera.getWorldPosition(this.#pivot);
    rig.position.sub(this.#pivot).applyAxisAngle(this.#up, angle).add(this.#pivot);
    rig.rotateY(angle);
  }
}

function clamp(value: number): number {
  return Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))
  );
}

/** Makes `stoa-locomotion` known to A-Frame. */
export function registerLocomotion(aframe: AFrame): void {
  aframe.registerComponent<LocomotionSettings, Locomotion>({
    name: "stoa-locomotion",
    schema: { enabled: { type: "boolean", default: true }, speed: { type: "number", default: WALK_M_PER_S } },
    create: (el) => new Locomotion(aframe, el),
  });
}
