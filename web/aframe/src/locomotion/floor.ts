/** What one walks on. Metres, scene space. */
import type { Three } from "../aframe.ts";
import { STEP_UP_M } from "../limits.ts";
import type { Height } from "../surroundings/terrain.ts";
import type { Xyz } from "../values.ts";

/** A floor, or all the ground there is. */
export interface Floor {
  /** Changes `to` into where a step from `from` ends: on the floor, or not taken. Flying asks nobody. */
  step(from: Three.Vector3, to: Three.Vector3): void;
  /** How high one stands at a place where something comes down from a little above `y`; `null`: nobody can stand there. */
  landing(x: number, y: number, z: number): number | null;
  /** The place on it that is nearest to one; `level`: at that height, about. `null`: there is none. Ground without an end has no need of it. */
  nearest?(place: Xyz, on: "nearest" | "level"): Xyz | null;
}

/** Open ground: one walks everywhere, as high above it as one was. */
export class OpenGround implements Floor {
  height: Height = () => 0;

  step(from: Three.Vector3, to: Three.Vector3): void {
    to.y = from.y + this.height(to.x, to.z) - this.height(from.x, from.z);
  }

  landing(x: number, y: number, z: number): number | null {
    const height = this.height(x, z);
    return y <= height + STEP_UP_M ? height : null;
  }
}
