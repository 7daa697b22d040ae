/** Which bodies are in whose hand, and where they have to be. Source: `spec/physics.md`. Pure: time is an argument. */
import { BODIES_MAX, HOLD_SILENCE_MS, THROWN_M_PER_S_MAX } from "../limits.ts";
import { quaternionOf } from "../mapping/pose.ts";
import { type Bag, type Xyz, xyz } from "../values.ts";
import type { BodyPose } from "./world.ts";

/** The events of a hold, under ARENA's names and one of ours. */
export const HOLD_EVENTS = { start: "physx-grabstart", move: "physx-grabmove", end: "physx-grabend" } as const;

/** What is said of a held body. */
export interface HoldNews {
  readonly phase: keyof typeof HOLD_EVENTS;
  readonly objectId: string;
  readonly pose: BodyPose;
  /** At the end, in m/s. */
  readonly velocity: Xyz;
}

/** One that was let go. */
export interface LetGo {
  readonly objectId: string;
  readonly velocity: Xyz;
}

interface GrabbedBody {
  readonly by: string;
  readonly pose: BodyPose;
  heardMs: number;
}

const AT_REST: Xyz = { x: 0, y: 0, z: 0 };

/** What an event says of a held body; `null`: it is none, or nonsense. */
export function holdOf(type: string, target: string, attributes: Bag): HoldNews | null {
  const phase = (["start", "move", "end"] as const).find((one) => HOLD_EVENTS[one] === type);
  const [at, turned] = [xyz(attributes.position), quaternionOf(attributes.rotation)];
  if (phase === undefined || !at || !turned) return null;
  const pose = Float64Array.of(at.x, at.y, at.z, turned.x, turned.y, turned.z, turned.w);
  return { phase, objectId: target, pose, velocity: thrown(xyz(attributes.velocity) ?? AT_REST) };
}

/** Nobody throws faster than people do. */
export function thrown({ x, y, z }: Xyz): Xyz {
  const share = Math.min(1, THROWN_M_PER_S_MAX / Math.max(Math.hypot(x, y, z), 1e-6));
  return { x: x * share, y: y * share, z: z * share };
}

/** All that are held. */
export class GrabbedBodies {
  readonly #held = new Map<string, GrabbedBody>();

  get entries(): Iterable<readonly [objectId: string, held: { readonly pose: BodyPose }]> {
    return this.#held.entries();
  }

  /** Takes what is said: the first who holds a body has it. What ends is returned. */
  handle({ phase, objectId, pose, velocity }: HoldNews, by: string, nowMs: number): LetGo | null {
    const held = this.#held.get(objectId);
    if (held !== undefined && held.by !== by) return null;
    if (phase === "end") return this.#held.delete(objectId) ? { objectId, velocity } : null;
    if (held === undefined && this.#held.size >= BODIES_MAX) return null;
    this.#held.set(objectId, { by, pose, heardMs: nowMs });
    return null;
  }

  /** Those of whom nothing was said for long: their holders are gone. */
  handleTime(nowMs: number): readonly LetGo[] {
    const silent: LetGo[] = [];
    for (const [objectId, { heardMs }] of this.#held) {
      if (nowMs - heardMs < HOLD_SILENCE_MS) continue;
      this.#held.delete(objectId);
      silent.push({ objectId, velocity: AT_REST });
    }
    return silent;
  }

  clear(): void {
    this.#held.clear();
  }
}
