/**
 * Who computes the physics of a scene: whoever moves the lease, an object of the motion plane that nobody sees. The realm lets one person move
 * it, the first, and it is free when they are gone. Source: `spec/physics.md`. Pure: time is an argument.
 */
import { DUTY_ALONE_MS, DUTY_PROVEN_MS } from "../limits.ts";

/** What a page knows of itself and of the realm. */
export interface LeaseState {
  /** Something in the scene falls or is pushed. */
  readonly isNeeded: boolean;
  readonly mayBuild: boolean;
  /** The motion plane is there. */
  readonly isOnPlane: boolean;
  /** The realm has this page move the lease. */
  readonly holdsLease: boolean;
  /** Nobody else is in the scene. */
  readonly isAlone: boolean;
}

/** What is to be done. */
export interface Orders {
  /** Ask for the lease, or keep it. */
  readonly claims: boolean;
  readonly simulates: boolean;
}

/** One page's part in it. */
export class SimulationLease {
  #heldSince: number | undefined;
  #aloneSince: number | undefined;

  /** What to do now. */
  decide({ isNeeded, mayBuild, isOnPlane, holdsLease, isAlone }: LeaseState, nowMs: number): Orders {
    this.#heldSince = isNeeded && isOnPlane && mayBuild && holdsLease ? (this.#heldSince ?? nowMs) : undefined;
    this.#aloneSince = isNeeded && !isOnPlane && isAlone ? (this.#aloneSince ?? nowMs) : undefined;
    return {
      claims: isNeeded && isOnPlane && mayBuild,
      // Two who asked at the same moment both have it until the second one's refusal has come. Without a plane nobody would see it move: whoever is alone
      // does, but one who has just come knows neither the others nor the plane yet.
      simulates: lasted(this.#heldSince, nowMs, DUTY_PROVEN_MS) || lasted(this.#aloneSince, nowMs, DUTY_ALONE_MS),
    };
  }
}

function lasted(sinceMs: number | undefined, nowMs: number, forMs: number): boolean {
  return sinceMs !== undefined && nowMs - sinceMs >= forMs;
}
