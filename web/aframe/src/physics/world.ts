/** A scene's bodies, simulated by Rapier in fixed time steps for reproducible movement. Metres, in scene space. */
import type RAPIER from "@dimforge/rapier3d-compat";
import { HOLD_S, STEP_S, STEPS_MAX } from "../limits.ts";
import type { BodySettings, WorldSettings } from "../mapping/body-settings.ts";
import type { JointSettings } from "../mapping/joint-settings.ts";
import { unreachable } from "../unreachable.ts";
import type { Xyz } from "../values.ts";
import { constrain, isDriven, jointData, type Rapier, turnTo } from "./joints.ts";
import type { BodySleepState } from "./published-bodies.ts";
import type { CollisionShape } from "./shapes.ts";

/** Position, then rotation as a unit quaternion. */
export type RigidBodyPose = Float64Array;

/** The start of a contact between two bodies. */
export interface Collision {
  readonly objectId: string;
  /** Empty for the floor. */
  readonly otherId: string;
}

interface SimulatedBody {
  readonly objectId: string;
  readonly rigid: RAPIER.RigidBody;
  readonly emitsCollisions: boolean;
  readonly joint: JointSettings | null;
  /** Whether a person holds the body, by hand, mouse or touch. */
  isHeld: boolean;
  /** The body's joint, created once the other body exists, and again when that body is replaced. */
  connection: { readonly by: RAPIER.ImpulseJoint; readonly other: SimulatedBody } | undefined;
}

const FLOOR_HALF_M = { x: 1_000, y: 0.5, z: 1_000 } as const;

/** All bodies of a scene. */
export class PhysicsWorld {
  readonly #rapier: Rapier;
  readonly #world: RAPIER.World;
  readonly #events: RAPIER.EventQueue;
  readonly #bodies = new Map<string, SimulatedBody>();
  readonly #byCollider = new Map<number, SimulatedBody>();
  readonly #speed: number;
  #dueS = 0;

  constructor(rapier: Rapier, settings: WorldSettings) {
    this.#rapier = rapier;
    this.#world = new rapier.World(settings.gravity);
    this.#world.timestep = STEP_S;
    this.#events = new rapier.EventQueue(true);
    this.#speed = settings.speed;
    if (settings.useDefaultScene) this.#addFloor(settings);
  }

  /** Adds or replaces a body. */
  set(
    objectId: string,
    settings: BodySettings,
    shape: CollisionShape,
    [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1]: RigidBodyPose,
  ): void {
    this.remove(objectId);
    const { RigidBodyDesc } = this.#rapier;
    const { type, linearDamping, angularDamping } = settings;
    const kinds = {
      dynamic: RigidBodyDesc.dynamic,
      static: RigidBodyDesc.fixed,
      kinematic: RigidBodyDesc.kinematicPositionBased,
    };
    const described = kinds[type]()
      .setTranslation(x, y, z)
      .setRotation({ x: qx, y: qy, z: qz, w: qw })
      .setLinearDamping(linearDamping)
      .setAngularDamping(angularDamping);
    const collider = this.#colliderOf(shape, settings);
    if (!collider) return;
    const rigid = this.#world.createRigidBody(described);
    const body: SimulatedBody = {
      objectId,
      rigid,
      emitsCollisions: settings.emitCollisionEvents,
      joint: settings.joint,
      isHeld: false,
      connection: undefined,
    };
    this.#bodies.set(objectId, body);
    this.#byCollider.set(this.#world.createCollider(collider, rigid).handle, body);
  }

  remove(objectId: string): void {
    const body = this.#bodies.get(objectId);
    if (!body) return;
    this.#bodies.delete(objectId);
    for (let at = 0; at < body.rigid.numColliders(); at += 1) this.#byCollider.delete(body.rigid.collider(at).handle);
    this.#world.removeRigidBody(body.rigid);
  }

  /** Moves a body from outside the simulation; a dynamic one stops there. */
  place(objectId: string, [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1]: RigidBodyPose): void {
    const rigid = this.#bodies.get(objectId)?.rigid;
    if (!rigid) return;
    const turned = { x: qx, y: qy, z: qz, w: qw };
    if (rigid.isKinematic()) {
      rigid.setNextKinematicTranslation({ x, y, z });
      rigid.setNextKinematicRotation(turned);
      return;
    }
    rigid.setTranslation({ x, y, z }, true);
    rigid.setRotation(turned, true);
    if (!rigid.isDynamic()) return;
    rigid.setLinvel({ x: 0, y: 0, z: 0 }, true);
    rigid.setAngvel({ x: 0, y: 0, z: 0 }, true);
  }

  /** Drives a grabbed body towards a pose by its velocity, so that obstacles still block it. */
  hold(objectId: string, [x = 0, y = 0, z = 0, qx = 0, qy = 0, qz = 0, qw = 1]: RigidBodyPose): void {
    const body = this.#bodies.get(objectId);
    if (!body?.rigid.isDynamic()) return;
    const { rigid } = body;
    body.isHeld = true;
    rigid.setGravityScale(0, true);
    const [at, turned] = [rigid.translation(), rigid.rotation()];
    rigid.setLinvel({ x: (x - at.x) / HOLD_S, y: (y - at.y) / HOLD_S, z: (z - at.z) / HOLD_S }, true);
    const turn = turnTo(turned, { x: qx, y: qy, z: qz, w: qw });
    rigid.setAngvel({ x: turn.x / HOLD_S, y: turn.y / HOLD_S, z: turn.z / HOLD_S }, true);
  }

  /** Releases a grabbed body at a velocity in m/s. */
  release(objectId: string, velocity: Xyz): void {
    const body = this.#bodies.get(objectId);
    if (!body?.isHeld) return;
    body.isHeld = false;
    body.rigid.setGravityScale(1, true);
    body.rigid.setLinvel({ x: velocity.x, y: velocity.y, z: velocity.z }, true);
    body.rigid.setAngvel({ x: 0, y: 0, z: 0 }, true);
  }

  /** Applies an impulse in kg m/s at the centre of mass. */
  push(objectId: string, impulse: Xyz): void {
    this.#bodies.get(objectId)?.rigid.applyImpulse(impulse, true);
  }

  /** Advances the simulation. Returns the contacts that began. */
  step(seconds: number): readonly Collision[] {
    for (const body of this.#bodies.values()) if (body.joint) this.#join(body, body.joint);
    const collisions: Collision[] = [];
    this.#dueS = Math.min(this.#dueS + seconds * this.#speed, STEPS_MAX * STEP_S);
    while (this.#dueS >= STEP_S) {
      this.#dueS -= STEP_S;
      this.#world.step(this.#events);
      this.#events.drainCollisionEvents((one, other, isStart) => {
        if (isStart) collisions.push(...this.#collision(one, other));
      });
    }
    return collisions;
  }

  /** Writes a body's pose; false if there is none. */
  poseOf(objectId: string, out: RigidBodyPose): boolean {
    const rigid = this.#bodies.get(objectId)?.rigid;
    if (!rigid) return false;
    const { x, y, z } = rigid.translation();
    const turned = rigid.rotation();
    out.set([x, y, z, turned.x, turned.y, turned.z, turned.w]);
    return true;
  }

  /** The states of all dynamic bodies. */
  states(): readonly BodySleepState[] {
    const moving = [...this.#bodies.values()].filter(({ rigid }) => rigid.isDynamic());
    return moving.map(({ objectId, rigid, isHeld }) => ({ objectId, isAwake: isHeld || !rigid.isSleeping() }));
  }

  /** Frees WebAssembly memory. */
  dispose(): void {
    this.#bodies.clear();
    this.#byCollider.clear();
    this.#events.free();
    this.#world.free();
  }

  /** Creates or updates a body's joint. Rapier removes the joints of a removed body itself. */
  #join(body: SimulatedBody, settings: JointSettings): void {
    const { target, collideWithTarget } = settings;
    const other = this.#bodies.get(target);
    // Rapier puts slowly turning bodies to sleep, even motor-driven ones.
    if (body.connection && isDriven(settings)) body.rigid.wakeUp();
    if (other === body.connection?.other) return;
    body.connection = undefined;
    if (!other || other === body) return;
    const data = jointData(this.#rapier, settings, body.rigid, other.rigid);
    const by = this.#world.createImpulseJoint(data, other.rigid, body.rigid, true);
    by.setContactsEnabled(collideWithTarget);
    constrain(this.#world.impulseJoints, by.handle, settings, this.#rapier);
    body.connection = { by, other };
  }

  #collision(one: number, other: number): readonly Collision[] {
    const [first, second] = [this.#byCollider.get(one), this.#byCollider.get(other)];
    const collisions: Collision[] = [];
    if (first?.emitsCollisions) collisions.push({ objectId: first.objectId, otherId: second?.objectId ?? "" });
    if (second?.emitsCollisions) collisions.push({ objectId: second.objectId, otherId: first?.objectId ?? "" });
    return collisions;
  }

  #colliderOf(shape: CollisionShape, settings: BodySettings): RAPIER.ColliderDesc | null {
    const { ActiveEvents } = this.#rapier;
    const { mass, density, dynamicFriction, restitution, emitCollisionEvents, shapeOffset } = settings;
    const described = this.#shapeOf(shape);
    if (!described) return null;
    const { x, y, z } = described.translation;
    described
      .setTranslation(x + shapeOffset.x, y + shapeOffset.y, z + shapeOffset.z)
      .setFriction(dynamicFriction)
      .setRestitution(restitution)
      .setCollisionGroups(groupsOf(settings.collisionLayers, settings.collidesWithLayers));
    if (density > 0) described.setDensity(density);
    else described.setMass(mass);
    if (emitCollisionEvents) described.setActiveEvents(ActiveEvents.COLLISION_EVENTS);
    return described;
  }

  #shapeOf(shape: CollisionShape): RAPIER.ColliderDesc | null {
    const { ColliderDesc } = this.#rapier;
    switch (shape.kind) {
      case "box":
        return ColliderDesc.cuboid(shape.half.x, shape.half.y, shape.half.z).setTranslation(
          ...([shape.center.x, shape.center.y, shape.center.z] as const),
        );
      case "ball":
        return ColliderDesc.ball(shape.radius);
      case "cylinder":
        return ColliderDesc.cylinder(shape.halfHeight, shape.radius);
      case "hull":
        return ColliderDesc.convexHull(shape.corners);
      case "mesh":
        return ColliderDesc.trimesh(shape.corners, shape.triangles);
      default:
        return unreachable(shape);
    }
  }

  #addFloor({ groundCollisionLayers, groundCollisionMask }: WorldSettings): void {
    const { x, y, z } = FLOOR_HALF_M;
    const floor = this.#rapier.ColliderDesc.cuboid(x, y, z)
      .setTranslation(0, -y, 0)
      .setCollisionGroups(groupsOf(groundCollisionLayers, groundCollisionMask));
    this.#world.createCollider(floor);
  }
}

/** Rapier's collision groups of 16 layers: membership in the upper bits, filter in the lower. */
export function groupsOf(isIn: readonly number[], meets: readonly number[]): number {
  const bits = (layers: readonly number[]): number => layers.reduce((sum, layer) => sum | (1 << (layer - 1)), 0);
  return ((bits(isIn) << 16) | bits(meets)) >>> 0;
}
