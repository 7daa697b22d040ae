/** Keeps a scene's list of movers across reconnections of the motion plane. Pure: time is an argument. */
import { MOTION_SETTLED_MS } from "../limits.ts";
import type { Motion, MotionListener, Mover, MoverKind } from "../types.ts";
import { MotionReplica } from "./replica.ts";
import type { TransportKind } from "./transport.ts";

/** Kinds of movers by their number in frames. */
const KINDS: readonly MoverKind[] = ["head", "left", "right", "object"];

interface FeedMover extends Mover {
  /** Number of the last connection that announced the mover. */
  connection: number;
  /** Time of the newest pose; NaN without one. */
  at: number;
  readonly pose: Float64Array;
}

/** Merges the movers of successive connections into one list, so that listeners see no reconnection. */
export class MotionFeed implements Motion {
  readonly #movers = new Map<string, FeedMover>();
  readonly #listeners = new Set<MotionListener>();
  readonly #own = new Set<string>();
  #connection = 0;
  #began = 0;
  #settled = true;
  #decides = false;
  #replica: MotionReplica | undefined;
  way: TransportKind | null = null;

  get movers(): Iterable<Mover> {
    return this.#movers.values();
  }

  get decides(): boolean {
    return this.#decides;
  }

  get jitterMs(): number {
    return this.#replica?.jitterMs ?? 0;
  }

  follow(listener: MotionListener): () => void {
    // A copy for each call, as the same listener may follow twice.
    const own = { ...listener };
    this.#listeners.add(own);
    for (const mover of this.#movers.values()) {
      own.onEntered(mover);
      if (!Number.isNaN(mover.at)) own.onMoved(mover, mover.at, mover.pose);
    }
    return () => this.#listeners.delete(own);
  }

  /** Starts a connection. Earlier movers that it doesn't announce within `MOTION_SETTLED_MS` are removed. */
  begin(idTag: string, now: number): MotionReplica {
    this.#own.add(idTag);
    this.#connection += 1;
    [this.#began, this.#settled] = [now, false];
    for (const mover of [...this.#movers.values()])
      if (mover.kind !== "object" && mover.name === idTag) this.#remove(mover);
    const connection = this.#connection;
    const byId = new Map<number, FeedMover>();
    const replica = new MotionReplica();
    replica.onEntered = ({ id, kind, name }) => {
      if (connection === this.#connection && (kind === 3 || !this.#own.has(name)))
        byId.set(id, this.#enter(KINDS[kind] ?? "object", name));
    };
    replica.onLeft = ({ id }) => {
      const mover = byId.get(id);
      byId.delete(id);
      if (mover !== undefined && connection === this.#connection) this.#remove(mover);
    };
    replica.onMoved = ({ id }, at, pose) => {
      const mover = byId.get(id);
      if (mover === undefined || connection !== this.#connection) return;
      mover.at = at;
      mover.pose.set(pose);
      for (const { onMoved } of this.#listeners) onMoved(mover, at, pose);
    };
    this.#replica = replica;
    return replica;
  }

  /** Ends the connection. Without another one soon, movers are removed and camera messages take over. */
  end(now: number): void {
    if (this.way === null) return;
    this.way = null;
    this.#connection += 1;
    [this.#began, this.#settled] = [now, false];
  }

  /** Updates `decides`, and removes the movers that no connection has announced again in time. */
  handleTime(now: number): void {
    if (now - this.#began < MOTION_SETTLED_MS) return;
    // Set before `onLeft` runs, so that its listeners read the new value.
    this.#decides = this.way !== null;
    if (this.#settled) return;
    this.#settled = true;
    for (const mover of [...this.#movers.values()]) if (mover.connection !== this.#connection) this.#remove(mover);
  }

  /** Removes all movers. */
  clear(): void {
    this.way = null;
    this.#decides = false;
    this.#connection += 1;
    for (const mover of [...this.#movers.values()]) this.#remove(mover);
  }

  #enter(kind: MoverKind, name: string): FeedMover {
    const key = `${kind} ${name}`;
    const before = this.#movers.get(key);
    if (before !== undefined) {
      before.connection = this.#connection;
      return before;
    }
    const mover: FeedMover = { kind, name, connection: this.#connection, at: Number.NaN, pose: new Float64Array(7) };
    this.#movers.set(key, mover);
    for (const { onEntered } of this.#listeners) onEntered(mover);
    return mover;
  }

  #remove(mover: FeedMover): void {
    if (this.#movers.get(`${mover.kind} ${mover.name}`) !== mover) return;
    this.#movers.delete(`${mover.kind} ${mover.name}`);
    for (const { onLeft } of this.#listeners) onLeft(mover);
  }
}
