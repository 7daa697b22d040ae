/** Tracks grabbed bodies and their target poses. Source: `spec/physics.md`. Pure: time is an argument. */
import { BODIES_MAX, HOLD_SILENCE_MS, THROWN_M_PER_S_MAX } from "../limits.ts";
import { quaternionOf } from "../mapping/pose.ts";
import { type JsonObject, type Xyz, xyz } from "../values.ts";
import type { RigidBodyPose } from "./world.ts";

/** Event types of a grab: ARENA's for start and end, and one of Stoa's own for each movement. */
export const GRAB_EVENTS = { start: "physx-grabstart", move: "physx-grabmove", end: "physx-grabend" } as const;

/** A grab event: start, move or end, with the target pose of the body. */
export interface GrabEvent {
  readonly phase: keyof typeof GRAB_EVENTS;
  readonly objectId: string;
  readonly pose: RigidBodyPose;
  /** The body's velocity at the end of the grab, in m/s; ignored in the other phases. */
  readonly velocity: Xyz;
}

/** A released body. */
export interface ReleasedBody {
  readonly objectId: string;
  readonly velocity: Xyz;
}

interface BodyGrabState {
  readonly by: string;
  readonly pose: RigidBodyPose;
  heardMs: number;
}

const AT_REST: Xyz = { x: 0, y: 0, z: 0 };

/** Parses a grab event; `null` for other or invalid events. */
export function grabEventOf(type: string, target: string, attributes: JsonObject): GrabEvent | null {
  const phase = (["start", "move", "end"] as const).find((one) => GRAB_EVENTS[one] === type);
  const [at, turned] = [xyz(attributes.position), quaternionOf(attributes.rotation)];
  if (phase === undefined || !at || !turned) return null;
  const pose = Float64Array.of(at.x, at.y, at.z, turned.x, turned.y, turned.z, turned.w);
  return { phase, objectId: target, pose, velocity: limitedThrow(xyz(attributes.velocity) ?? AT_REST) };
}

/** Limits a velocity to the speed of human throws. */
export function limitedThrow({ x, y, z }: Xyz): Xyz {
  const share = Math.min(1, THROWN_M_PER_S_MAX / Math.max(Math.hypot(x, y, z), 1e-6));
  return { x: x * share, y: y * share, z: z * share };
}

/** All grabbed bodies. */
export class GrabbedBodies {
  readonly #grabbed = new Map<string, BodyGrabState>();

  get entries(): Iterable<readonly [objectId: string, grabbed: { readonly pose: RigidBodyPose }]> {
    return this.#grabbed.entries();
  }

  /** Applies a grab event. While one client holds a body, events of others are ignored. Returns the body if it was released. */
  handle({ phase, objectId, pose, velocity }: GrabEvent, by: string, nowMs: number): ReleasedBody | null {
    const grabbed = this.#grabbed.get(objectId);
    if (grabbed !== undefined && grabbed.by !== by) return null;
    if (phase === "end") return this.#grabbed.delete(objectId) ? { objectId, velocity } : null;
    if (grabbed === undefined && this.#grabbed.size >= BODIES_MAX) return null;
    this.#grabbed.set(objectId, { by, pose, heardMs: nowMs });
    return null;
  }

  /** Releases bodies without news for `HOLD_SILENCE_MS`: their holders have left. */
  handleTime(nowMs: number): readonly ReleasedBody[] {
    const silent: ReleasedBody[] = [];
    for (const [objectId, { heardMs }] of this.#grabbed) {
      if (nowMs - heardMs < HOLD_SILENCE_MS) continue;
      this.#grabbed.delete(objectId);
      silent.push({ objectId, velocity: AT_REST });
    }
    return silent;
  }

  clear(): void {
    this.#grabbed.clear();
  }
}
