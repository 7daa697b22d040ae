/** What moves oneself in a scene: floor, seats, portals, jumps, comfort. Between the rig's components and what asks for them. */
import { type AFrame, behaviourOf, detailOf, type Entity, makeEntity, type SceneElement } from "../aframe.ts";
import { ARRIVAL_AREA_M } from "../limits.ts";
import type { SceneOptions } from "../mapping/scene-options.ts";
import { Pointer, type PressTaker } from "../pressing/stoa-pointer.ts";
import { Environment } from "../surroundings/stoa-environment.ts";
import type { Height } from "../surroundings/terrain.ts";
import type { Xyz } from "../values.ts";
import { COMFORT, type Comfort } from "./comfort.ts";
import { OpenGround } from "./floor.ts";
import { navMeshOf } from "./nav-mesh.ts";
import { Locomotion } from "./stoa-locomotion.ts";
import { type Journey, TRAVEL } from "./stoa-portal.ts";
import { SIT, type SitRequest } from "./stoa-seat.ts";
import { Teleport } from "./stoa-teleport.ts";
import { Vignette } from "./stoa-vignette.ts";

/** What it is made of. */
export interface RigMovementOptions {
  readonly scene: SceneElement;
  readonly rig: Entity;
  readonly camera: Entity;
  readonly surroundings: Entity;
  readonly comfort?: Comfort | undefined;
  /** Whether somebody sits or stands there. */
  readonly isTaken: (place: Xyz) => boolean;
  /** Goes to another scene; without it portals are mere objects. */
  readonly travel?: ((journey: Journey) => void) | undefined;
}

/** One's own movement in one scene. */
export class RigMovement {
  readonly #options: RigMovementOptions;
  readonly #ground = new OpenGround();
  readonly #listening = new AbortController();
  #comfort: Comfort;
  #fly = false;
  #navMeshUrl: string | undefined;
  #navMeshEl: Entity | null = null;
  #aframe: AFrame | null = null;
  /** Of the seat that one sat down on last. */
  #seatGone: AbortSignal | null = null;

  constructor(options: RigMovementOptions) {
    this.#options = options;
    this.#comfort = options.comfort ?? COMFORT;
    const { rig, camera, scene, surroundings } = options;
    for (const name of ["stoa-locomotion", "stoa-teleport"]) rig.setAttribute(name, {});
    camera.setAttribute("stoa-vignette", { strength: 0 });
    this.#ground.height = (x, z) => behaviourOf(surroundings, "stoa-environment", Environment)?.heightAt(x, z) ?? 0;
    const { signal } = this.#listening;
    scene.addEventListener(SIT, (event) => this.#sit(detailOf<SitRequest>(event)), { signal });
    scene.addEventListener(TRAVEL, (event) => options.travel?.(detailOf<Journey>(event)), { signal });
  }

  get locomotion(): Locomotion | null {
    return behaviourOf(this.#options.rig, "stoa-locomotion", Locomotion);
  }

  /** How high the ground is, whatever else one walks on. */
  get height(): Height {
    return this.#ground.height;
  }

  /** The rig's components are there. */
  wire(): void {
    const { rig, camera } = this.#options;
    const [locomotion, teleport] = [this.locomotion, behaviourOf(rig, "stoa-teleport", Teleport)];
    if (teleport && locomotion) {
      teleport.locomotion = locomotion;
      teleport.pointer = behaviourOf(rig, "stoa-pointer", Pointer);
      this.#aframe = teleport.aframe;
      locomotion.floor = this.#ground;
    }
    const vignette = behaviourOf(camera, "stoa-vignette", Vignette);
    if (vignette && locomotion) vignette.isGliding = () => locomotion.isGliding;
    this.#apply();
    this.#load();
  }

  setComfort(comfort: Comfort): void {
    this.#comfort = comfort;
    this.#apply();
  }

  /** What the scene's options say about feet. */
  setOptions({ fly, navMesh }: SceneOptions): void {
    this.#fly = fly;
    this.#apply();
    if (navMesh === this.#navMeshUrl) return;
    this.#navMeshUrl = navMesh;
    this.#load();
  }

  /** A tracked hand that pinches at nothing jumps; a click or tap at nothing does where that is chosen. */
  readonly take: PressTaker = (target, ray, _hit, by) => {
    if (target !== null || this.#fly) return null;
    const teleport = behaviourOf(this.#options.rig, "stoa-teleport", Teleport);
    if (by.isHand) return teleport?.take(ray) ?? null;
    return by.source === "camera" && this.#comfort.jump ? (teleport?.tap(ray) ?? null) : null;
  };

  dispose(): void {
    this.#listening.abort();
    this.#navMeshEl?.remove();
  }

  #apply(): void {
    const { rig, camera } = this.#options;
    const { speed, turn, angle, raise, letterKeys, vignette } = this.#comfort;
    rig.setAttribute("stoa-locomotion", { speed, turn, angle, raise, letterKeys, fly: this.#fly });
    camera.setAttribute("stoa-vignette", { strength: vignette });
    const teleport = behaviourOf(rig, "stoa-teleport", Teleport);
    if (teleport) teleport.isFlying = this.#fly;
  }

  #sit({ place, gone }: SitRequest): void {
    if (this.#options.isTaken(place.position)) return;
    this.locomotion?.sit(place);
    this.#seatGone = gone;
    // Whoever has sat down elsewhere since then stays there.
    gone.addEventListener("abort", () => this.#seatGone === gone && this.locomotion?.stand(), {
      signal: this.#listening.signal,
      once: true,
    });
  }

  /** The model is loaded as any other, and never drawn. One that fails leaves the open ground, and the page says so. */
  #load(): void {
    const { locomotion } = this;
    const aframe = this.#aframe;
    this.#navMeshEl?.remove();
    this.#navMeshEl = null;
    if (locomotion === null || aframe === null) return;
    locomotion.floor = this.#ground;
    if (this.#navMeshUrl === undefined) return;
    const el = makeEntity(this.#options.scene.ownerDocument);
    el.setAttribute("visible", false);
    el.setAttribute("stoa-model", { kind: "gltf", src: this.#navMeshUrl });
    el.addEventListener("model-loaded", () => void this.#walkOn(aframe, el), { once: true });
    this.#navMeshEl = el;
    this.#options.scene.append(el);
  }

  async #walkOn(aframe: AFrame, el: Entity): Promise<void> {
    const floor = await navMeshOf(aframe, el.object3D);
    const { locomotion } = this;
    if (this.#navMeshEl !== el) return;
    if (floor !== null && locomotion !== null) {
      locomotion.floor = floor;
      locomotion.settle(ARRIVAL_AREA_M);
    }
    // The floor has corners of its own.
    this.#navMeshEl = null;
    el.remove();
  }
}
