/** Walks somebody who doesn't see the way: to a place, or after a person. Pure: time is an argument. */
import { EYE_HEIGHT_M, WALK_M_PER_S } from "@stoa/aframe/meaning";
import type { Pose, Vector3 } from "@stoa/client";
import { BESIDE_M, FLOOR_APART_M, WALK_S_MAX } from "../limits.ts";
import { type Viewpoint, yawTowards } from "./geometry.ts";

/** Where somebody wants to be: at a place, or beside something that has an id. */
export type Goal =
  | { readonly kind: "place"; readonly name: string; readonly eyes: Vector3 }
  | { readonly kind: "thing" | "person" | "follow"; readonly name: string; readonly id: string };

/** What came of a step. */
export type Step = "still" | "moved" | "arrived" | "lost";

/** Where something is now; `undefined`: nobody knows. */
export type Find = (goal: Goal) => Vector3 | undefined;

/** One's own feet. */
export class Walker {
  /** Where the eyes are. */
  stand: Viewpoint;
  goal: Goal | null = null;
  #speed = WALK_M_PER_S;
  /** Where one stood before one sat down; `undefined`: one stands. */
  #stood: Viewpoint | undefined;

  constructor(stand: Viewpoint) {
    this.stand = stand;
  }

  /** The head, as others are told of it. */
  get pose(): Pose {
    const half = this.stand.yawRad / 2;
    return { position: this.stand.position, rotation: [0, Math.sin(half), 0, Math.cos(half)] };
  }

  get isSeated(): boolean {
    return this.#stood !== undefined;
  }

  /** Sits down. */
  sit(seat: Viewpoint): void {
    this.goal = null;
    this.#stood ??= this.stand;
    this.stand = seat;
  }

  /** Gets up where one stood before. */
  getUp(): void {
    this.stand = this.#stood ?? this.stand;
    this.#stood = undefined;
  }

  /** Is somewhere else at once. */
  arrive(stand: Viewpoint): void {
    this.goal = null;
    this.#stood = undefined;
    this.stand = stand;
  }

  /** Sets out: far away one walks faster, so that no way takes longer than `WALK_S_MAX`. */
  setOut(goal: Goal, find: Find): void {
    this.getUp();
    this.goal = goal;
    const to = find(goal);
    const distance = to === undefined ? 0 : Math.hypot(to[0] - this.stand.position[0], to[2] - this.stand.position[2]);
    this.#speed = Math.max(WALK_M_PER_S, distance / WALK_S_MAX);
  }

  stop(): void {
    this.goal = null;
  }

  /** A turn on the spot, to the left. */
  turn(angleRad: number): void {
    this.stand = { ...this.stand, yawRad: this.stand.yawRad + angleRad };
  }

  /** A step ahead, or back. */
  go(distanceM: number): void {
    this.getUp();
    this.goal = null;
    const { position, yawRad } = this.stand;
    const [x, y, z] = position;
    this.stand = { position: [x - Math.sin(yawRad) * distanceM, y, z - Math.cos(yawRad) * distanceM], yawRad };
  }

  /** Walks for `deltaS` seconds. */
  handleTime(deltaS: number, find: Find): Step {
    const { goal } = this;
    if (goal === null) return "still";
    const target = find(goal);
    if (target === undefined) {
      this.goal = null;
      return "lost";
    }
    const [x, y, z] = this.stand.position;
    const [dx, dz] = [target[0] - x, target[2] - z];
    const left = Math.hypot(dx, dz) - (goal.kind === "place" ? 0 : BESIDE_M);
    if (left <= 0.01) return this.#arrive(goal, target);
    const length = Math.min(left, this.#speed * deltaS);
    const [toX, toZ] = [dx / Math.hypot(dx, dz), dz / Math.hypot(dx, dz)];
    this.stand = { position: [x + toX * length, y, z + toZ * length], yawRad: yawTowards(dx, dz) };
    return "moved";
  }

  #arrive(goal: Goal, [x, y, z]: Vector3): Step {
    const at = this.stand.position;
    const facing = goal.kind === "place" ? this.stand.yawRad : yawTowards(x - at[0], z - at[2]);
    const height = heightAt(goal, y, at[1]);
    const news = height !== at[1] || facing !== this.stand.yawRad;
    this.stand = { position: [at[0], height, at[2]], yawRad: facing };
    if (goal.kind === "follow") return news ? "moved" : "still";
    this.goal = null;
    return "arrived";
  }
}

/** People are met eye to eye; what hangs on a wall is looked at from one's own floor, what is on another floor from there. */
function heightAt(goal: Goal, targetY: number, ownY: number): number {
  if (goal.kind !== "thing") return targetY;
  return Math.abs(targetY - ownY) > FLOOR_APART_M ? targetY + EYE_HEIGHT_M / 2 : ownY;
}
