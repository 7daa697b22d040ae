/**
 * Teleports the user: along an arc by pushing the right stick forward or by a pinch in empty space, or to the floor
 * under a click or tap. Belongs on the rig. Page: docs/components/stoa-teleport.md
 */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import type { Clock } from "../clock.ts";
import { SNAP_AT, TAP_MS, TAP_RAD } from "../limits.ts";
import { dispose } from "../meshes.ts";
import type { CapturedPress, PointerBehaviour } from "../pressing/stoa-pointer.ts";
import { ARC_NUMBERS, type ArcTraceResult, meetFloor, traceArc } from "./arc.ts";
import type { LocomotionBehaviour } from "./stoa-locomotion.ts";

const ARC_OBJECT = "stoa-arc";
const GOOD = "#4ade80";
const BAD = "#f87171";

interface ArcObjects {
  readonly group: Three.Group;
  readonly line: Three.Line<Three.BufferGeometry, Three.LineBasicMaterial>;
  /** Marker of the destination. */
  readonly ring: Three.Object3D;
}

/** The arc and its input. */
export class TeleportBehaviour implements Behaviour<unknown> {
  readonly aframe: AFrameAdapter;
  /** Executes the teleport and provides the floor. */
  locomotion: LocomotionBehaviour | null = null;
  /** Source of controller rays. */
  pointer: PointerBehaviour | null = null;
  /** Whether the scene allows flying: the right stick then moves up and down and starts no teleport. */
  isFlying = false;

  readonly #el: Entity;
  readonly #now: Clock;
  readonly #ray: Three.Ray;
  readonly #points = new Float32Array(ARC_NUMBERS);
  readonly #arc: ArcTraceResult = { corners: 0, landed: false };
  #objects: ArcObjects | null = null;
  #isByStick = false;

  constructor(aframe: AFrameAdapter, el: Entity, now: Clock) {
    this.aframe = aframe;
    this.#now = now;
    this.#el = el;
    this.#ray = new aframe.THREE.Ray();
  }

  /** Whether the visible arc ends on a floor; `null` while hidden. */
  get landing(): boolean | null {
    return this.#objects?.group.visible === true ? this.#arc.landed : null;
  }

  /** Shows the arc during the press, and teleports to the arc's end when the press ends. */
  take(ray: Three.Ray): CapturedPress {
    this.#aim(ray);
    return { move: (moved) => this.#aim(moved), end: () => this.#jump() };
  }

  /** Handles a click or tap. A short and steady one teleports to the floor that its ray meets. */
  tap(ray: Three.Ray): CapturedPress {
    const began = ray.clone();
    const beganMs = this.#now();
    let isTap = true;
    return {
      move: (moved) => {
        isTap &&= moved.direction.angleTo(began.direction) < TAP_RAD;
      },
      end: () => {
        const floor = this.locomotion?.floor;
        const place = began.origin.clone();
        if (!isTap || this.#now() - beganMs > TAP_MS || !floor) return;
        if (meetFloor(began, floor, place)) this.locomotion?.goTo(place);
      },
    };
  }

  tick(): void {
    const y = this.isFlying ? 0 : this.#stick();
    if (y < -SNAP_AT && this.pointer?.rayOf("right", this.#ray) === true) {
      this.#isByStick = true;
      this.#aim(this.#ray);
    } else if (this.#isByStick && y > -SNAP_AT / 2) {
      this.#isByStick = false;
      this.#jump();
    }
  }

  remove(): void {
    const { group } = this.#objects ?? {};
    this.#objects = null;
    if (!group) return;
    group.removeFromParent();
    dispose(group);
  }

  #stick(): number {
    const sources = this.#el.sceneEl?.xrSession?.inputSources;
    for (let at = 0; at < (sources?.length ?? 0); at += 1) {
      const source = sources?.[at];
      const [, , x = 0, y = 0] = source?.gamepad?.axes ?? [];
      if (source?.handedness === "right" && Math.abs(y) > Math.abs(x)) return y;
    }
    return 0;
  }

  #aim(ray: Three.Ray): void {
    if (!this.locomotion) return;
    traceArc(ray, this.locomotion.floor, this.#points, this.#arc);
    this.#show();
  }

  #jump(): void {
    if (this.#objects) this.#objects.group.visible = false;
    if (!this.#arc.landed) return;
    const [x = 0, y = 0, z = 0] = this.#points.subarray((this.#arc.corners - 1) * 3);
    this.#arc.landed = false;
    this.locomotion?.goTo({ x, y, z });
  }

  #show(): void {
    this.#objects ??= this.#draw();
    const { group, line, ring } = this.#objects;
    const { corners, landed } = this.#arc;
    group.visible = true;
    line.geometry.getAttribute("position").needsUpdate = true;
    line.geometry.setDrawRange(0, corners);
    ring.visible = landed;
    ring.position.fromArray(this.#points, (corners - 1) * 3);
    line.material.color.set(landed ? GOOD : BAD);
  }

  #draw(): ArcObjects {
    const { THREE } = this.aframe;
    const bow = new THREE.BufferGeometry();
    bow.setAttribute("position", new THREE.BufferAttribute(this.#points, 3));
    const line = new THREE.Line(bow, new THREE.LineBasicMaterial({ color: GOOD }));
    line.frustumCulled = false;
    const disc = new THREE.RingGeometry(0.22, 0.3, 32).rotateX(-Math.PI / 2).translate(0, 0.02, 0);
    const ring = new THREE.Mesh(disc, new THREE.MeshBasicMaterial({ color: GOOD, side: THREE.DoubleSide }));
    const group = new THREE.Group().add(line, ring);
    group.name = ARC_OBJECT;
    // The arc is in scene space, because the rig turns and moves.
    this.#el.sceneEl?.object3D.add(group);
    return { group, line, ring };
  }
}

/** Registers `stoa-teleport`. */
export function registerTeleport(aframe: AFrameAdapter, now: Clock): void {
  aframe.registerComponent<object, TeleportBehaviour>({
    name: "stoa-teleport",
    schema: {},
    create: (el) => new TeleportBehaviour(aframe, el, now),
  });
}
