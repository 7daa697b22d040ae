/** Walks the user automatically to a position or after a person. Pure: time is an argument. */
import { EYE_HEIGHT_M, WALK_M_PER_S } from "@stoa/aframe/meaning";
import type { Pose, Vector3 } from "@stoa/client";
import { BESIDE_M, FLOOR_APART_M, WALK_S_MAX } from "../limits.ts";
import { type Viewpoint, yawTowards } from "./geometry.ts";

/** The target of a walk: a position, or a person or object with an id. */
export type Goal =
  | { readonly kind: "place"; readonly name: string; readonly eyes: Vector3 }
  | { readonly kind: "object" | "person" | "follow"; readonly name: string; readonly id: string };

/** The result of a step. */
export type WalkStepResult = "still" | "moved" | "arrived" | "lost";

/** The current position of a goal; `undefined` if unknown. */
export type LocateGoal = (goal: Goal) => Vector3 | undefined;

/** The user's position and current walk. */
export class Walker {
  /** Eye position and yaw. */
  stand: Viewpoint;
  goal: Goal | null = null;
  #speed = WALK_M_PER_S;
  /** Viewpoint before sitting down; `undefined` while standing. */
  #standingView: Viewpoint | undefined;

  constructor(stand: Viewpoint) {
    this.stand = stand;
  }

  /** The head pose that is sent to other people. */
  get pose(): Pose {
    const half = this.stand.yawRad / 2;
    return { position: this.stand.position, rotation: [0, Math.sin(half), 0, Math.cos(half)] };
  }

  get isSeated(): boolean {
    return this.#standingView !== undefined;
  }

  sit(seat: Viewpoint): void {
    this.goal = null;
    this.#standingView ??= this.stand;
    this.stand = seat;
  }

  /** Stands up at the position before sitting down. */
  getUp(): void {
    this.stand = this.#standingView ?? this.stand;
    this.#standingView = undefined;
  }

  /** Moves to a viewpoint at once. */
  arrive(stand: Viewpoint): void {
    this.goal = null;
    this.#standingView = undefined;
    this.stand = stand;
  }

  /** Starts a walk. A long one is faster, so that none to a resting target takes more than `WALK_S_MAX`. */
  setOut(goal: Goal, locate: LocateGoal): void {
    this.getUp();
    this.goal = goal;
    const to = locate(goal);
    const distance = to === undefined ? 0 : Math.hypot(to[0] - this.stand.position[0], to[2] - this.stand.position[2]);
    this.#speed = Math.max(WALK_M_PER_S, distance / WALK_S_MAX);
  }

  stop(): void {
    this.goal = null;
  }

  /** Turns on the spot, to the left for positive angles. */
  turn(angleRad: number): void {
    this.stand = { ...this.stand, yawRad: this.stand.yawRad + angleRad };
  }

  /** Steps ahead, or back for negative distances. */
  go(distanceM: number): void {
    this.getUp();
    this.goal = null;
    const { position, yawRad } = this.stand;
    const [x, y, z] = position;
    this.stand = { position: [x - Math.sin(yawRad) * distanceM, y, z - Math.cos(yawRad) * distanceM], yawRad };
  }

  /** Advances the walk by `deltaS` seconds. */
  handleTime(deltaS: number, locate: LocateGoal): WalkStepResult {
    const { goal } = this;
    if (goal === null) return "still";
    const target = locate(goal);
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

  #arrive(goal: Goal, [x, y, z]: Vector3): WalkStepResult {
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

/**
 * Eye height at the end of a walk. People are met at their eye height; an object is viewed from the user's own floor,
 * or from the object's floor if that is another one.
 */
function heightAt(goal: Goal, targetY: number, ownY: number): number {
  if (goal.kind !== "object") return targetY;
  return Math.abs(targetY - ownY) > FLOOR_APART_M ? targetY + EYE_HEIGHT_M / 2 : ownY;
}
