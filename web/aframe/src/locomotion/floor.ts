/** The floors that walking and teleporting use: the interface, and unbounded ground. Metres, in scene space. */
import type { Three } from "../aframe.ts";
import { STEP_UP_M } from "../limits.ts";
import type { GroundHeightSampler } from "../surroundings/terrain.ts";
import type { Xyz } from "../values.ts";

/** A bounded or unbounded floor. */
export interface Floor {
  /** Corrects `to`, the end of a step from `from`, so that the user stays on the floor. Flying skips this. */
  step(from: Three.Vector3, to: Three.Vector3): void;
  /** Floor height at `x` and `z` for a landing near the height `y`; `null` if no floor is near that height. */
  landing(x: number, y: number, z: number): number | null;
  /**
   * The nearest point on the floor; with `level` at about the same height. `null` if there is none. Unbounded ground
   * doesn't implement it.
   */
  nearest?(place: Xyz, on: "nearest" | "level"): Xyz | null;
}

/** Unbounded ground: walkable everywhere, keeping the user's height above it. */
export class OpenGround implements Floor {
  height: GroundHeightSampler = () => 0;

  step(from: Three.Vector3, to: Three.Vector3): void {
    to.y = from.y + this.height(to.x, to.z) - this.height(from.x, from.z);
  }

  landing(x: number, y: number, z: number): number | null {
    const height = this.height(x, z);
    return y <= height + STEP_UP_M ? height : null;
  }
}
