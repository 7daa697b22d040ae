/**
 * Who computes the physics of a scene: whoever moves the lease, an object of the motion plane that nobody sees. The realm lets one person move
 * it, the first, and it is free when they are gone. Source: `spec/physics.md`. Pure: time is an argument.
 */
import { DUTY_PROVEN_MS } from "../limits.ts";

/** What a page knows of itself and of the realm. */
export interface Standing {
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

const IDLE: Orders = { claims: false, simulates: false };

/** One page's part in it. */
export class Duty {
  #heldSince: number | undefined;

  /** What to do now. */
  decide({ isNeeded, mayBuild, isOnPlane, holdsLease, isAlone }: Standing, nowMs: number): Orders {
    if (!isNeeded) {
      this.#heldSince = undefined;
      return IDLE;
    }
    if (!isOnPlane) {
      // Nobody would see it move: whoever is alone does.
      this.#heldSince = undefined;
      return { claims: false, simulates: isAlone };
    }
    if (!mayBuild) return IDLE;
    if (!holdsLease) this.#heldSince = undefined;
    else this.#heldSince ??= nowMs;
    // Two who asked at the same moment both have it until the second one's refusal has come.
    const isProven = this.#heldSince !== undefined && nowMs - this.#heldSince >= DUTY_PROVEN_MS;
    return { claims: true, simulates: isProven };
  }
}
