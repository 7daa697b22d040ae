/** What the others do besides moving, and oneself: beams, and reactions over heads. */
import { type Doing, IDLE, type Person, type ReceivedEvent, type SceneSession, type Side } from "@stoa/client";
import { behaviourOf, type Entity, entityOf, makeEntity, type SceneElement, type Three } from "../aframe.ts";
import {
  LASER_INTERVAL_MS,
  LASER_REACH_M,
  LASERS_MAX,
  REACTION_ABOVE_M,
  REACTION_AHEAD_M,
  REACTION_GAP_MS,
} from "../limits.ts";
import { type Reaction, reactionOf } from "./reactions.ts";
import { type BeamStart, Laser } from "./stoa-laser.ts";
import { Reactions } from "./stoa-reactions.ts";

/** Where somebody is. */
export interface Whereabouts {
  /** Writes where their head or hand is; false where that is not known. */
  placeOf(idTag: string, part: "head" | Side, place: Three.Vector3): boolean;
}

/** The rays that one points with oneself. */
export interface OwnRays {
  /** Writes the ray that one points with at present, and says whether it comes from a hand or from the camera. */
  aim(ray: Three.Ray): Side | "camera";
  /** Writes the ray of that hand's controller; false while there is none. */
  rayOf(side: Side, ray: Three.Ray): boolean;
  /** A caster that meets all that is drawn. */
  makeCaster(): Three.Raycaster;
}

/** What one does oneself; what isn't named stays as it was. */
export interface OwnDoing {
  readonly body?: Doing["body"];
  readonly handRaised?: boolean;
  /** Whether one shows the others where one points. */
  readonly pointing?: boolean;
}

/** What it is made of. */
export interface PeopleActivityOptions {
  readonly scene: SceneElement;
  readonly session: SceneSession;
  /** The entity that all people stand in; it carries `stoa-reactions`. */
  readonly root: Entity;
  readonly people: Whereabouts;
  readonly pointer: () => OwnRays | null;
  readonly now: () => number;
}

/** What is done, by whom. */
export class PeopleActivity {
  readonly #options: PeopleActivityOptions;
  readonly #lasers = new Map<string, Entity>();
  readonly #reactedMs = new Map<string, number>();
  readonly #stop: () => void;
  #own: Doing = IDLE;
  #isPointing = false;
  #aimedMs = Number.NEGATIVE_INFINITY;
  #scratch: { readonly ray: Three.Ray; readonly place: Three.Vector3; readonly caster: Three.Raycaster } | null = null;

  constructor(options: PeopleActivityOptions) {
    this.#options = options;
    this.#stop = options.session.on("clientEvent", (event) => this.#heard(event));
  }

  /** Somebody came or changed. */
  apply({ idTag, color, doing }: Person): void {
    this.#beam(idTag, color, doing?.laser ?? null);
  }

  /** Somebody went. */
  remove(idTag: string): void {
    this.#beam(idTag, "", null);
    this.#reactedMs.delete(idTag);
  }

  retain(people: ReadonlyMap<string, unknown>): void {
    for (const idTag of [...this.#lasers.keys()]) {
      if (!people.has(idTag) && idTag !== this.#options.session.me.idTag) this.remove(idTag);
    }
  }

  /** Says what one does oneself, from now on. */
  setDoing(doing: OwnDoing): void {
    const { pointing, ...more } = doing;
    this.#own = { ...this.#own, ...more };
    if (pointing !== undefined) this.#isPointing = pointing;
    this.#aimedMs = Number.NEGATIVE_INFINITY;
    if (this.#isPointing) return;
    this.#own = { ...this.#own, laser: null };
    this.#options.session.setLooks({ doing: this.#own });
    this.#beam(this.#options.session.me.idTag, "", null);
  }

  /** Reacts, and shows it to oneself a little ahead. */
  react(reaction: Reaction): void {
    const { session, scene } = this.#options;
    const { idTag } = session.me;
    session.sendEvent({ type: "reaction", target: idTag, more: { reaction } });
    const { camera } = scene;
    const place = this.#room()?.place;
    if (!camera || !place) return;
    camera.getWorldDirection(place).setY(0).normalize().multiplyScalar(REACTION_AHEAD_M);
    const { x, z } = place;
    camera.getWorldPosition(place);
    this.#rise(reaction, place.x + x, place.y - 0.3, place.z + z);
  }

  /** Once per render frame: what one points at is looked for as often as it is told. */
  tick(nowMs: number): void {
    if (!this.#isPointing || nowMs - this.#aimedMs < LASER_INTERVAL_MS) return;
    this.#aimedMs = nowMs;
    const pointer = this.#options.pointer();
    const room = this.#room();
    if (!pointer || !room) return;
    const source = pointer.aim(room.ray);
    const hit = this.#end(room);
    const { session } = this.#options;
    this.#own = { ...this.#own, laser: { from: source === "camera" ? "head" : source, to: [hit.x, hit.y, hit.z] } };
    session.setLooks({ doing: this.#own });
    this.#beam(session.me.idTag, "", this.#own.laser, source);
  }

  dispose(): void {
    this.#stop();
    for (const idTag of [...this.#lasers.keys()]) this.#beam(idTag, "", null);
  }

  #room() {
    const { camera } = this.#options.scene;
    if (this.#scratch === null && camera) {
      // The classes of A-Frame's own three.js, taken from what it made.
      const place = camera.position.clone();
      const caster = this.#options.pointer()?.makeCaster();
      if (caster) this.#scratch = { place, ray: caster.ray.clone(), caster };
    }
    return this.#scratch;
  }

  /** Where the ray meets something of the scene, else the floor, else as far as a beam goes. */
  #end({ ray, place, caster }: { ray: Three.Ray; place: Three.Vector3; caster: Three.Raycaster }): Three.Vector3 {
    caster.ray.copy(ray);
    caster.far = LASER_REACH_M;
    const { camera } = this.#options.scene;
    if (camera) caster.camera = camera;
    const things = this.#options.root.object3D.children.filter((one) => one.visible && isOfScene(one));
    const [hit] = caster.intersectObjects(things, true);
    if (hit) return place.copy(hit.point);
    const toFloor = ray.direction.y < 0 ? -ray.origin.y / ray.direction.y : LASER_REACH_M;
    return ray.at(Math.min(LASER_REACH_M, Math.max(0, toFloor)), place);
  }

  #beam(idTag: string, color: string, laser: Doing["laser"], source?: Side | "camera"): void {
    const before = this.#lasers.get(idTag);
    if (laser === null) {
      before?.remove();
      before?.destroy?.();
      this.#lasers.delete(idTag);
      return;
    }
    const [x, y, z] = laser.to;
    const settings = { color, to: { x, y, z } };
    before?.setAttribute("stoa-laser", settings);
    if (before !== undefined || this.#lasers.size >= LASERS_MAX) return;
    const el = makeEntity(this.#options.root.ownerDocument);
    el.setAttribute("stoa-laser", settings);
    const start = source === undefined ? this.#startOf(idTag) : this.#ownStart();
    const loaded = (): void => {
      const beam = behaviourOf(el, "stoa-laser", Laser);
      if (beam) beam.start = start;
    };
    el.addEventListener("loaded", loaded, { once: true });
    this.#lasers.set(idTag, el);
    this.#options.root.append(el);
  }

  /** From the hand that they point with, else from below the eyes: nobody shoots from the eyes. */
  #startOf(idTag: string): BeamStart {
    const { people, session } = this.#options;
    return (place) => {
      const from = session.people.get(idTag)?.doing?.laser?.from ?? "head";
      if (from !== "head" && people.placeOf(idTag, from, place)) return true;
      if (!people.placeOf(idTag, "head", place)) return false;
      place.y -= 0.3;
      return true;
    };
  }

  #ownStart(): BeamStart {
    const { pointer, scene } = this.#options;
    return (place) => {
      const from = this.#own.laser?.from ?? "head";
      const ray = this.#scratch?.ray;
      if (from !== "head" && ray && pointer()?.rayOf(from, ray) === true) place.copy(ray.origin);
      else {
        scene.camera?.getWorldPosition(place);
        place.y -= 0.3;
      }
      return true;
    };
  }

  /** Whoever floods is seen as often as somebody quick may be. */
  #heard({ type, idTag, attributes }: ReceivedEvent): void {
    const reaction = type === "reaction" ? reactionOf(attributes.reaction) : null;
    const { people, session, now } = this.#options;
    if (reaction === null || !session.people.has(idTag)) return;
    const nowMs = now();
    const place = this.#room()?.place;
    if (nowMs - (this.#reactedMs.get(idTag) ?? Number.NEGATIVE_INFINITY) < REACTION_GAP_MS || !place) return;
    this.#reactedMs.set(idTag, nowMs);
    if (people.placeOf(idTag, "head", place)) this.#rise(reaction, place.x, place.y + REACTION_ABOVE_M, place.z);
  }

  #rise(reaction: Reaction, x: number, y: number, z: number): void {
    behaviourOf(this.#options.root, "stoa-reactions", Reactions)?.show(reaction, x, y, z);
  }
}

/** An object, not somebody's beam or body. */
function isOfScene(object: Three.Object3D): boolean {
  return entityOf(object)?.dataset.objectId !== undefined;
}
