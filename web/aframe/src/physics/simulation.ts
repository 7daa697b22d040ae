/**
 * One page's physics of a scene: its part in the election, and the simulation. `spec/physics.md` describes the
 * protocol.
 */
import type { Pose, SceneSession } from "@stoa/client";
import type { AFrameAdapter, Entity } from "../aframe.ts";
import { BODIES_MAX, COLLISIONS_PER_S, IMPULSE_MAX, TAKEN_COS, TAKEN_M } from "../limits.ts";
import type { BodySettings, WorldSettings } from "../mapping/body-settings.ts";
import { parentOf } from "../mapping/pose.ts";
import { type Xyz, xyz } from "../values.ts";
import { GRAB_EVENTS, GrabbedBodies, type GrabEvent, grabEventOf, type ReleasedBody } from "./grabbed-bodies.ts";
import type { Rapier } from "./joints.ts";
import { BodyPublicationSelector } from "./published-bodies.ts";
import { shapeOf } from "./shapes.ts";
import { SimulationLeaseElection } from "./simulation-lease.ts";
import { type Collision, PhysicsWorld, type RigidBodyPose } from "./world.ts";

/** The part of a session that physics uses. */
export type SceneSessionForPhysics = Pick<
  SceneSession,
  "me" | "people" | "objects" | "motion" | "moveObject" | "holdsObject" | "sendEvent" | "update" | "on" | "status"
>;

export interface SimulationDependencies {
  readonly aframe: AFrameAdapter;
  readonly session: SceneSessionForPhysics;
  /** Imports Rapier, when this page first simulates. */
  readonly load: () => Promise<Rapier>;
}

/** World scale along the three axes. */
type WorldScale = Float64Array;

/** A body component of the scene, from which the world's body is built. */
interface BodyComponentState {
  readonly el: Entity;
  settings: BodySettings;
  /** Whether the collision shape must be rebuilt. */
  isStale: boolean;
  /** Whether the simulation may move the object, which is false for an object with a parent. */
  isFree: boolean;
  /**
   * The geometry and scale (`shapeSize`) of the current shape, and the scale of the previous frame (`lastSize`). An
   * object keeps its shape while its scale still changes.
   */
  geometry: unknown;
  readonly shapeSize: WorldScale;
  readonly lastSize: WorldScale;
  /** The last pose written or read. */
  readonly lastPose: RigidBodyPose;
}

/** The name of the lease: the page that moves this object on the motion plane simulates. */
export const LEASE = "stoa-physics";
/** Event of a push, addressed to the simulating page. */
export const PUSH_EVENT = "physx-push";

const LEASE_POSE: Pose = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };
const LEASE_AGAIN_MS = 1_000;
/** Retry interval after Rapier failed to load. */
const LOAD_AGAIN_MS = 2_000;
/** Relative change of scale below which a shape is kept, because rotations are rounded. */
const SIZE_SHARE = 1e-3;

/** The physics of one scene. */
export class Simulation {
  readonly #options: SimulationDependencies;
  readonly #lease = new SimulationLeaseElection();
  readonly #published = new BodyPublicationSelector();
  readonly #grabbed = new GrabbedBodies();
  readonly #sources = new Map<string, BodyComponentState>();
  readonly #now: RigidBodyPose = new Float64Array(7);
  readonly #size: WorldScale = new Float64Array(3);
  readonly #stop: () => void;
  #settings: WorldSettings | null = null;
  #world: PhysicsWorld | null = null;
  #rapier: Rapier | "loading" | null = null;
  #isDisposed = false;
  #simulates = false;
  #tickedMs = Number.NaN;
  #claimedMs = Number.NaN;
  #loadedMs = Number.NaN;
  #collisions = { sinceMs: 0, count: 0 };

  constructor(options: SimulationDependencies) {
    this.#options = options;
    this.#stop = options.session.on("clientEvent", ({ type, target, idTag, attributes }) => {
      const hold = idTag === options.session.me.idTag ? null : grabEventOf(type, target, attributes);
      if (hold) this.#hold(hold, idTag);
      const impulse = type === PUSH_EVENT ? xyz(attributes.impulse) : undefined;
      if (impulse) this.#push(target, impulse);
    });
  }

  /** Whether this page's simulation moves the object. */
  moves(objectId: string): boolean {
    const source = this.#sources.get(objectId);
    return this.#world !== null && source?.settings.type === "dynamic" && source.isFree;
  }

  /** Applies the scene's physics options. Bodies restart on a change. */
  configure(settings: WorldSettings): void {
    if (JSON.stringify(settings) === JSON.stringify(this.#settings)) return;
    this.#settings = settings;
    this.#stopSimulating();
  }

  /** Adds, updates or removes an object's body. */
  handleBody(el: Entity, settings: BodySettings | null): void {
    const objectId = el.dataset.objectId ?? "";
    const before = this.#sources.get(objectId);
    if (!settings) {
      this.#sources.delete(objectId);
      this.#world?.remove(objectId);
    } else if (before?.el === el) Object.assign(before, { settings, isStale: true });
    else if (this.#sources.size < BODIES_MAX) {
      const [shapeSize, lastSize, lastPose] = [new Float64Array(3), new Float64Array(3), new Float64Array(7)];
      this.#sources.set(objectId, {
        el,
        settings,
        isStale: true,
        isFree: false,
        geometry: null,
        shapeSize,
        lastSize,
        lastPose,
      });
    }
  }

  /** An object's geometry has changed, so its shape must be rebuilt. */
  handleDrawn(objectId: string): void {
    const source = this.#sources.get(objectId);
    if (source) source.isStale = true;
  }

  /** The user pushes an object. */
  push(objectId: string, impulse: Xyz): void {
    if (this.#world) this.#push(objectId, impulse);
    else this.#options.session.sendEvent({ type: PUSH_EVENT, target: objectId, more: { impulse } });
  }

  /** The user grabs, moves or releases a body. */
  hold(news: GrabEvent): void {
    const { session } = this.#options;
    this.#hold(news, session.me.idTag);
    const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = news.pose;
    // Start and end are sent even if this page simulates: another page may take over, and ARENA's pages understand the
    // events. Moves are sent only if this page doesn't simulate.
    if (this.#world && news.phase === "move") return;
    const [position, rotation] = [
      { x, y, z },
      { x: qx, y: qy, z: qz, w: qw },
    ];
    const more = { position, rotation, ...(news.phase === "end" ? { velocity: news.velocity } : {}) };
    session.sendEvent({ type: GRAB_EVENTS[news.phase], target: news.objectId, more });
  }

  /** Decides, steps and publishes; called once per render frame. */
  tick(nowMs: number): void {
    const seconds = Number.isNaN(this.#tickedMs) ? 0 : (nowMs - this.#tickedMs) / 1_000;
    this.#tickedMs = nowMs;
    const { session } = this.#options;
    const state = {
      isNeeded: this.#settings?.enabled === true && this.#hasMoving(),
      mayBuild: session.status.kind === "live" && session.me.mayBuild,
      isOnPlane: session.motion.way !== null,
      holdsLease: session.holdsObject(LEASE),
      isAlone: session.people.size === 0,
    };
    const { claims, simulates } = this.#lease.decide(state, nowMs);
    this.#claim(claims, nowMs);
    this.#simulates = simulates;
    if (!simulates) {
      this.#stopSimulating();
      return;
    }
    if (!this.#world) {
      this.#startSimulating(nowMs);
      return;
    }
    this.#applyOutsideChanges();
    this.#applyGrabs(nowMs);
    this.#publishCollisions(this.#world.step(seconds), nowMs);
    this.#writePoses();
    this.#publish(nowMs);
  }

  dispose(): void {
    this.#stop();
    this.#stopSimulating();
    this.#claim(false, 0);
    this.#grabbed.clear();
    this.#sources.clear();
    this.#isDisposed = true;
  }

  #hasMoving(): boolean {
    for (const { settings } of this.#sources.values()) if (settings.type === "dynamic") return true;
    return false;
  }

  /** Claims or releases the lease. A claim is repeated, because a new motion session doesn't know the lease. */
  #claim(claims: boolean, nowMs: number): void {
    const { session } = this.#options;
    if (!claims && Number.isNaN(this.#claimedMs)) return;
    if (!claims) session.moveObject(LEASE, null);
    else if (!(nowMs - this.#claimedMs < LEASE_AGAIN_MS)) session.moveObject(LEASE, LEASE_POSE);
    else return;
    this.#claimedMs = claims ? nowMs : Number.NaN;
  }

  #startSimulating(nowMs: number): void {
    if (this.#rapier === null && !(nowMs - this.#loadedMs < LOAD_AGAIN_MS)) {
      [this.#rapier, this.#loadedMs] = ["loading", nowMs];
      this.#options.load().then(
        (rapier) => {
          this.#rapier = rapier;
        },
        () => {
          this.#rapier = null;
        },
      );
    }
    if (this.#rapier === "loading" || this.#rapier === null || !this.#settings || this.#isDisposed) return;
    this.#world = new PhysicsWorld(this.#rapier, this.#settings);
    for (const source of this.#sources.values()) source.isStale = true;
  }

  #stopSimulating(): void {
    if (!this.#world) return;
    this.#world.dispose();
    this.#world = null;
    for (const objectId of this.#published.end()) this.#options.session.moveObject(objectId, null);
  }

  /** Applies poses set from outside, and rebuilds changed shapes. */
  #applyOutsideChanges(): void {
    for (const [objectId, source] of this.#sources) {
      const { el, settings, lastPose } = source;
      poseOf(el, this.#now);
      if (this.#needsRebuild(objectId, source)) {
        const type = settings.type === "dynamic" && !source.isFree ? "kinematic" : settings.type;
        const shape = shapeOf(this.#options.aframe, el, settings);
        if (!shape) continue;
        source.isStale = false;
        source.shapeSize.set(source.lastSize);
        this.#world?.set(objectId, { ...settings, type }, shape, this.#now);
      } else if (wasTaken(this.#now, lastPose)) this.#world?.place(objectId, this.#now);
      else continue;
      lastPose.set(this.#now);
    }
  }

  /** Whether the shape must be rebuilt. Changes of scale, geometry and parent have no events. */
  #needsRebuild(objectId: string, source: BodyComponentState): boolean {
    const { el, shapeSize, lastSize } = source;
    const drawn = el.getObject3D("mesh");
    const geometry = drawn instanceof this.#options.aframe.THREE.Mesh ? drawn.geometry : null;
    const isFree = parentOf(this.#options.session.objects.get(objectId)?.attributes ?? {}) === null;
    sizeOf(el, this.#size);
    const isOther = sameSize(this.#size, lastSize) && !sameSize(this.#size, shapeSize);
    lastSize.set(this.#size);
    if (isOther || geometry !== source.geometry || isFree !== source.isFree) source.isStale = true;
    Object.assign(source, { geometry, isFree });
    return source.isStale;
  }

  #writePoses(): void {
    for (const [objectId, { el, lastPose }] of this.#sources) {
      if (!this.moves(objectId) || !this.#world?.poseOf(objectId, this.#now)) continue;
      const [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1] = this.#now;
      el.object3D.position.set(x, y, z);
      el.object3D.quaternion.set(qx, qy, qz, qw);
      lastPose.set(this.#now);
    }
  }

  #publish(nowMs: number): void {
    const { session } = this.#options;
    const { moved, released, messaged } = this.#published.step(this.#world?.states() ?? [], nowMs);
    for (const objectId of moved) {
      const lastPose = this.#sources.get(objectId)?.lastPose;
      if (lastPose) session.moveObject(objectId, poseFrom(lastPose));
    }
    for (const objectId of released) session.moveObject(objectId, null);
    for (const objectId of messaged) this.#publishRest(objectId);
  }

  /** Publishes a pose by message: of a body that came to rest, or moves without a slot on the motion plane. */
  #publishRest(objectId: string): void {
    const { lastPose, isFree } = this.#sources.get(objectId) ?? {};
    // A child object moves with its parent.
    if (!lastPose || !isFree) return;
    const [x, y, z, qx, qy, qz, qw] = [...lastPose].map((value) => Math.round(value * 1e4) / 1e4 || 0);
    const attributes = { position: { x, y, z }, rotation: { x: qx, y: qy, z: qz, w: qw } };
    // The realm refuses a user who has lost the right to edit, and their page stops simulating. Falls can't be undone.
    this.#options.session.update(objectId, attributes, { persist: false, undoable: false }).catch(() => undefined);
  }

  /** Tracks a grab, even while another page simulates, so that a takeover continues the grabs. */
  #hold(news: GrabEvent, by: string): void {
    if (!this.#sources.get(news.objectId)?.el.hasAttribute("stoa-grab")) return;
    const released = this.#grabbed.handle(news, by, this.#tickedMs);
    if (released) this.#release(released);
  }

  #release({ objectId, velocity }: ReleasedBody): void {
    this.#world?.release(objectId, velocity);
  }

  #applyGrabs(nowMs: number): void {
    for (const released of this.#grabbed.handleTime(nowMs)) this.#release(released);
    for (const [objectId, { pose }] of this.#grabbed.entries) this.#world?.hold(objectId, pose);
  }

  #push(objectId: string, impulse: Xyz): void {
    if (!this.#simulates || !this.#sources.get(objectId)?.el.hasAttribute("stoa-pushable")) return;
    const clamped = (axis: number): number => Math.min(IMPULSE_MAX, Math.max(-IMPULSE_MAX, axis));
    this.#world?.push(objectId, { x: clamped(impulse.x), y: clamped(impulse.y), z: clamped(impulse.z) });
  }

  #publishCollisions(collisions: readonly Collision[], nowMs: number): void {
    if (nowMs - this.#collisions.sinceMs >= 1_000) this.#collisions = { sinceMs: nowMs, count: 0 };
    for (const { objectId, otherId } of collisions) {
      if (this.#collisions.count >= COLLISIONS_PER_S) return;
      this.#collisions.count += 1;
      const [x = 0, y = 0, z = 0] = this.#sources.get(objectId)?.lastPose ?? [];
      const event = { type: "collision", target: objectId, targetPosition: [x, y, z] as const };
      this.#options.session.sendEvent({ ...event, more: { collider: otherId } });
    }
  }
}

/** The pose of an object in the scene. */
function poseOf({ object3D }: Entity, out: RigidBodyPose): void {
  object3D.updateWorldMatrix(true, false);
  const { position, quaternion } = object3D;
  const { 12: x = 0, 13: y = 0, 14: z = 0 } = object3D.matrixWorld.elements;
  const turned = object3D.parent ? object3D.getWorldQuaternion(quaternion.clone()) : quaternion;
  out.set([x, y, z, turned.x, turned.y, turned.z, turned.w]);
  if (!Number.isFinite(x + y + z)) out.set(position.toArray());
}

/** The world scale of an object with an up-to-date matrix. */
function sizeOf({ object3D }: Entity, out: WorldScale): void {
  const { elements } = object3D.matrixWorld;
  for (let axis = 0; axis < 3; axis += 1) {
    const [x = 0, y = 0, z = 0] = [elements[4 * axis], elements[4 * axis + 1], elements[4 * axis + 2]];
    out[axis] = Math.hypot(x, y, z);
  }
}

function sameSize(one: WorldScale, other: WorldScale): boolean {
  return one.every((length, axis) => Math.abs(length - (other[axis] ?? 0)) <= SIZE_SHARE * length);
}

function poseFrom([x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1]: RigidBodyPose): Pose {
  return { position: [x, y, z], rotation: [qx, qy, qz, qw] };
}

/** Whether the pose differs from the written one by more than message rounding. */
export function wasTaken(now: RigidBodyPose, lastPose: RigidBodyPose): boolean {
  const [x = 0, y = 0, z = 0, ...turned] = now;
  const [px = 0, py = 0, pz = 0, ...before] = lastPose;
  if (Math.hypot(x - px, y - py, z - pz) > TAKEN_M) return true;
  const cos = turned.reduce((sum, value, at) => sum + value * (before[at] ?? 0), 0);
  return Math.abs(cos) < TAKEN_COS;
}
