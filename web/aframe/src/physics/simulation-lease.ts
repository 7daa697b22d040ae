/**
 * Elects the page that simulates a scene's physics: the page that moves the lease, an invisible object on the motion
 * plane. The realm lets only the first client move the lease, until that client releases it or leaves. Source:
 * `spec/physics.md`. Pure: time is an argument.
 */
import { DUTY_ALONE_MS, DUTY_PROVEN_MS } from "../limits.ts";

/** The input of the election. */
export interface LeaseElectionInput {
  /** Whether physics is enabled and the scene contains dynamic bodies. */
  readonly isNeeded: boolean;
  readonly mayBuild: boolean;
  /** Whether the motion plane is connected. */
  readonly isOnPlane: boolean;
  /** Whether the realm lets this page move the lease. */
  readonly holdsLease: boolean;
  /** Whether this user is alone in the scene. */
  readonly isAlone: boolean;
}

/** The decision. */
export interface LeaseDecision {
  /** Whether to request or keep the lease. */
  readonly claims: boolean;
  readonly simulates: boolean;
}

/** The election as seen by one page. */
export class SimulationLeaseElection {
  #heldSince: number | undefined;
  #aloneSince: number | undefined;

  /** Decides for the current state. */
  decide({ isNeeded, mayBuild, isOnPlane, holdsLease, isAlone }: LeaseElectionInput, nowMs: number): LeaseDecision {
    this.#heldSince = isNeeded && isOnPlane && mayBuild && holdsLease ? (this.#heldSince ?? nowMs) : undefined;
    this.#aloneSince = isNeeded && !isOnPlane && isAlone ? (this.#aloneSince ?? nowMs) : undefined;
    return {
      claims: isNeeded && isOnPlane && mayBuild,
      // After simultaneous requests both pages hold the lease until the second is refused, hence the first delay.
      // Without a motion plane no other page sees the movement, so only a lone user simulates. A page that has just
      // joined knows neither peers nor motion plane, hence the second delay.
      simulates: lasted(this.#heldSince, nowMs, DUTY_PROVEN_MS) || lasted(this.#aloneSince, nowMs, DUTY_ALONE_MS),
    };
  }
}

function lasted(sinceMs: number | undefined, nowMs: number, forMs: number): boolean {
  return sinceMs !== undefined && nowMs - sinceMs >= forMs;
}
