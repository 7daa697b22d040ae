/** Connects the rig's components to floor, seats, portals, teleport and comfort settings. */
import { type AFrameAdapter, behaviourOf, detailOf, type Entity, makeEntity, type SceneElement } from "../aframe.ts";
import { ARRIVAL_AREA_M } from "../limits.ts";
import type { SceneInteractionOptions } from "../mapping/scene-options.ts";
import { PointerBehaviour, type PressInterceptor } from "../pressing/stoa-pointer.ts";
import { EnvironmentBehaviour } from "../surroundings/stoa-environment.ts";
import type { GroundHeightSampler } from "../surroundings/terrain.ts";
import type { Xyz } from "../values.ts";
import { COMFORT, type Comfort } from "./comfort.ts";
import { OpenGround } from "./floor.ts";
import { navMeshOf } from "./nav-mesh.ts";
import { LocomotionBehaviour } from "./stoa-locomotion.ts";
import { type Journey, TRAVEL } from "./stoa-portal.ts";
import { SIT, type SitRequest } from "./stoa-seat.ts";
import { TeleportBehaviour } from "./stoa-teleport.ts";
import { VignetteBehaviour } from "./stoa-vignette.ts";

export interface RigMovementOptions {
  readonly scene: SceneElement;
  readonly rig: Entity;
  readonly camera: Entity;
  readonly surroundings: Entity;
  readonly comfort?: Comfort | undefined;
  /** Whether a person sits or stands at that position. */
  readonly isTaken: (place: Xyz) => boolean;
  /** Travels to another scene; without it portals do nothing. */
  readonly travel?: ((journey: Journey) => void) | undefined;
}

/** The user's movement in one scene. */
export class RigMovement {
  readonly #options: RigMovementOptions;
  readonly #ground = new OpenGround();
  readonly #listening = new AbortController();
  #comfort: Comfort;
  #fly = false;
  #navMeshUrl: string | undefined;
  #navMeshEl: Entity | null = null;
  #aframe: AFrameAdapter | null = null;
  /** Abort signal of the seat used last, also after standing up. */
  #seatGone: AbortSignal | null = null;

  constructor(options: RigMovementOptions) {
    this.#options = options;
    this.#comfort = options.comfort ?? COMFORT;
    const { rig, camera, scene, surroundings } = options;
    for (const name of ["stoa-locomotion", "stoa-teleport"]) rig.setAttribute(name, {});
    camera.setAttribute("stoa-vignette", { strength: 0 });
    this.#ground.height = (x, z) =>
      behaviourOf(surroundings, "stoa-environment", EnvironmentBehaviour)?.heightAt(x, z) ?? 0;
    const { signal } = this.#listening;
    scene.addEventListener(SIT, (event) => this.#sit(detailOf<SitRequest>(event)), { signal });
    scene.addEventListener(TRAVEL, (event) => options.travel?.(detailOf<Journey>(event)), { signal });
  }

  get locomotion(): LocomotionBehaviour | null {
    return behaviourOf(this.#options.rig, "stoa-locomotion", LocomotionBehaviour);
  }

  /** Height of the open ground, independent of a navigation mesh. */
  get height(): GroundHeightSampler {
    return this.#ground.height;
  }

  /** Connects the rig's components once they are initialized. */
  wire(): void {
    const { rig, camera } = this.#options;
    const [locomotion, teleport] = [this.locomotion, behaviourOf(rig, "stoa-teleport", TeleportBehaviour)];
    if (teleport && locomotion) {
      teleport.locomotion = locomotion;
      teleport.pointer = behaviourOf(rig, "stoa-pointer", PointerBehaviour);
      this.#aframe = teleport.aframe;
      locomotion.floor = this.#ground;
    }
    const vignette = behaviourOf(camera, "stoa-vignette", VignetteBehaviour);
    if (vignette && locomotion) vignette.isGliding = () => locomotion.isGliding;
    this.#apply();
    this.#load();
  }

  setComfort(comfort: Comfort): void {
    this.#comfort = comfort;
    this.#apply();
  }

  /** Applies the scene options of movement. */
  setOptions({ fly, navMesh }: SceneInteractionOptions): void {
    this.#fly = fly;
    this.#apply();
    if (navMesh === this.#navMeshUrl) return;
    this.#navMeshUrl = navMesh;
    this.#load();
  }

  /**
   * Starts a teleport by a press in empty space: a tracked hand's pinch or, with `Comfort.jump`, a click or tap. In
   * scenes that allow flying it does nothing.
   */
  readonly take: PressInterceptor = (target, ray, _hit, by) => {
    if (target !== null || this.#fly) return null;
    const teleport = behaviourOf(this.#options.rig, "stoa-teleport", TeleportBehaviour);
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
    const teleport = behaviourOf(rig, "stoa-teleport", TeleportBehaviour);
    if (teleport) teleport.isFlying = this.#fly;
  }

  #sit({ place, gone }: SitRequest): void {
    if (this.#options.isTaken(place.position)) return;
    this.locomotion?.sit(place);
    this.#seatGone = gone;
    // A user who meanwhile sits on another seat remains seated.
    gone.addEventListener("abort", () => this.#seatGone === gone && this.locomotion?.stand(), {
      signal: this.#listening.signal,
      once: true,
    });
  }

  /**
   * Loads the navigation mesh as an invisible model. If it fails, the open ground stays and the page reports the
   * broken file.
   */
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

  async #walkOn(aframe: AFrameAdapter, el: Entity): Promise<void> {
    const floor = await navMeshOf(aframe, el.object3D);
    const { locomotion } = this;
    if (this.#navMeshEl !== el) return;
    if (floor !== null && locomotion !== null) {
      locomotion.floor = floor;
      locomotion.settle(ARRIVAL_AREA_M);
    }
    // The floor has its own copy of the geometry.
    this.#navMeshEl = null;
    el.remove();
  }
}
