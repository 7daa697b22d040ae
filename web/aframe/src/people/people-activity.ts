/** Shows laser beams and reactions, of other people and of the user, and sends the user's own. */
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
import { type BeamStartWriter, LaserBehaviour } from "./stoa-laser.ts";
import { ReactionsBehaviour } from "./stoa-reactions.ts";

/** Looks up people's positions. */
export interface PersonLocator {
  /** Writes the position of a person's head or hand; false if unknown. */
  positionOf(idTag: string, part: "head" | Side, position: Three.Vector3): boolean;
}

/** The user's pointing rays. */
export interface OwnRaySource {
  /** Writes the user's current pointing ray. Returns its source: a hand, or the camera for mouse and gaze. */
  aim(ray: Three.Ray): Side | "camera";
  /** Writes the ray of that hand's controller; false without a controller. */
  rayOf(side: Side, ray: Three.Ray): boolean;
  /** Creates a raycaster with this package's layers enabled. */
  makeCaster(): Three.Raycaster;
}

/** Changes of the user's activity; omitted keys keep their values. */
export interface OwnDoing {
  readonly body?: Doing["body"];
  readonly handRaised?: boolean;
  /** Whether the user shows a laser beam. */
  readonly pointing?: boolean;
}

export interface PeopleActivityOptions {
  readonly scene: SceneElement;
  readonly session: SceneSession;
  /** The entity that contains all people; it carries `stoa-reactions`. */
  readonly root: Entity;
  readonly people: PersonLocator;
  readonly pointer: () => OwnRaySource | null;
  readonly now: () => number;
}

/** The activities of all people in a scene. */
export class ActivityEffects {
  readonly #options: PeopleActivityOptions;
  readonly #lasers = new Map<string, Entity>();
  readonly #reactedMs = new Map<string, number>();
  readonly #stop: () => void;
  #own: Doing = IDLE;
  #isPointing = false;
  #aimedMs = Number.NEGATIVE_INFINITY;
  #scratch: { readonly ray: Three.Ray; readonly position: Three.Vector3; readonly caster: Three.Raycaster } | null =
    null;

  constructor(options: PeopleActivityOptions) {
    this.#options = options;
    this.#stop = options.session.on("clientEvent", (event) => this.#handleEvent(event));
  }

  /** Adds or updates a person's beam. */
  apply({ idTag, color, doing }: Person): void {
    this.#beam(idTag, color, doing?.laser ?? null);
  }

  /** Removes a person's beam. */
  remove(idTag: string): void {
    this.#beam(idTag, "", null);
    this.#reactedMs.delete(idTag);
  }

  retain(people: ReadonlyMap<string, unknown>): void {
    for (const idTag of [...this.#lasers.keys()]) {
      if (!people.has(idTag) && idTag !== this.#options.session.me.idTag) this.remove(idTag);
    }
  }

  /** Publishes the user's activity. */
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

  /** Sends a reaction and shows it to the user, a little ahead. */
  react(reaction: Reaction): void {
    const { session, scene } = this.#options;
    const { idTag } = session.me;
    session.sendEvent({ type: "reaction", target: idTag, more: { reaction } });
    const { camera } = scene;
    const position = this.#scratchObjects()?.position;
    if (!camera || !position) return;
    camera.getWorldDirection(position).setY(0).normalize().multiplyScalar(REACTION_AHEAD_M);
    const { x, z } = position;
    camera.getWorldPosition(position);
    this.#showReaction(reaction, position.x + x, position.y - 0.3, position.z + z);
  }

  /** Once per render frame: traces the user's beam at the rate at which it is sent. */
  tick(nowMs: number): void {
    if (!this.#isPointing || nowMs - this.#aimedMs < LASER_INTERVAL_MS) return;
    this.#aimedMs = nowMs;
    const pointer = this.#options.pointer();
    const room = this.#scratchObjects();
    if (!pointer || !room) return;
    const source = pointer.aim(room.ray);
    const hit = this.#beamEnd(room);
    const { session } = this.#options;
    this.#own = { ...this.#own, laser: { from: source === "camera" ? "head" : source, to: [hit.x, hit.y, hit.z] } };
    session.setLooks({ doing: this.#own });
    this.#beam(session.me.idTag, "", this.#own.laser, source);
  }

  dispose(): void {
    this.#stop();
    for (const idTag of [...this.#lasers.keys()]) this.#beam(idTag, "", null);
  }

  #scratchObjects() {
    const { camera } = this.#options.scene;
    if (this.#scratch === null && camera) {
      // Clones instances that A-Frame made, to use its bundled three.js classes.
      const position = camera.position.clone();
      const caster = this.#options.pointer()?.makeCaster();
      if (caster) this.#scratch = { position, ray: caster.ray.clone(), caster };
    }
    return this.#scratch;
  }

  /** The ray's first hit on a scene object, else on the level y = 0, else the end of the beam's full length. */
  #beamEnd({
    ray,
    position,
    caster,
  }: {
    ray: Three.Ray;
    position: Three.Vector3;
    caster: Three.Raycaster;
  }): Three.Vector3 {
    caster.ray.copy(ray);
    caster.far = LASER_REACH_M;
    const { camera } = this.#options.scene;
    if (camera) caster.camera = camera;
    const things = this.#options.root.object3D.children.filter((one) => one.visible && isOfScene(one));
    const [hit] = caster.intersectObjects(things, true);
    if (hit) return position.copy(hit.point);
    const toFloor = ray.direction.y < 0 ? -ray.origin.y / ray.direction.y : LASER_REACH_M;
    return ray.at(Math.min(LASER_REACH_M, Math.max(0, toFloor)), position);
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
      const beam = behaviourOf(el, "stoa-laser", LaserBehaviour);
      if (beam) beam.start = start;
    };
    el.addEventListener("loaded", loaded, { once: true });
    this.#lasers.set(idTag, el);
    this.#options.root.append(el);
  }

  /** The start of a beam: the pointing hand, else a point below the eyes, so that no beam leaves a face. */
  #startOf(idTag: string): BeamStartWriter {
    const { people, session } = this.#options;
    return (position) => {
      const from = session.people.get(idTag)?.doing?.laser?.from ?? "head";
      if (from !== "head" && people.positionOf(idTag, from, position)) return true;
      if (!people.positionOf(idTag, "head", position)) return false;
      position.y -= 0.3;
      return true;
    };
  }

  #ownStart(): BeamStartWriter {
    const { pointer, scene } = this.#options;
    return (position) => {
      const from = this.#own.laser?.from ?? "head";
      const ray = this.#scratch?.ray;
      if (from !== "head" && ray && pointer()?.rayOf(from, ray) === true) position.copy(ray.origin);
      else {
        scene.camera?.getWorldPosition(position);
        position.y -= 0.3;
      }
      return true;
    };
  }

  /** Shows received reactions, limited per sender: a flood shows no more than fast tapping. */
  #handleEvent({ type, idTag, attributes }: ReceivedEvent): void {
    const reaction = type === "reaction" ? reactionOf(attributes.reaction) : null;
    const { people, session, now } = this.#options;
    if (reaction === null || !session.people.has(idTag)) return;
    const nowMs = now();
    const position = this.#scratchObjects()?.position;
    if (nowMs - (this.#reactedMs.get(idTag) ?? Number.NEGATIVE_INFINITY) < REACTION_GAP_MS || !position) return;
    this.#reactedMs.set(idTag, nowMs);
    if (people.positionOf(idTag, "head", position))
      this.#showReaction(reaction, position.x, position.y + REACTION_ABOVE_M, position.z);
  }

  #showReaction(reaction: Reaction, x: number, y: number, z: number): void {
    behaviourOf(this.#options.root, "stoa-reactions", ReactionsBehaviour)?.show(reaction, x, y, z);
  }
}

/** Whether a three.js object belongs to an object of the scene, not to a beam or a body. */
function isOfScene(object: Three.Object3D): boolean {
  return entityOf(object)?.dataset.objectId !== undefined;
}
