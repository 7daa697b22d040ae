/** Keeps a scene's list of movers across reconnections of the motion plane. Pure: time is an argument. */
import { MOTION_SETTLED_MS } from "../limits.ts";
import type { FlowRights, Motion, MotionListener, Mover, MoverKind } from "../types.ts";
import type { MoverKindByte } from "./frame.ts";
import type { MotionPlaneListener } from "./plane-listener.ts";
import type { TransportKind } from "./transport.ts";
import { VoiceFeed } from "./voice-feed.ts";

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
export class MotionFeed implements Motion, MotionPlaneListener {
  readonly voices = new VoiceFeed();
  readonly #movers = new Map<string, FeedMover>();
  readonly #listeners = new Set<MotionListener>();
  readonly #own = new Set<string>();
  /** Movers of the present connection by id. */
  readonly #byId = new Map<number, FeedMover>();
  /** Number of the last connection or pause between two, in this list. */
  #connection = 0;
  /** The connection's number in its plane; `undefined` between two. */
  #planeConnection: number | undefined;
  #began = 0;
  #settled = true;
  #decides = false;
  #jitterMs = 0;
  way: TransportKind | null = null;

  get movers(): Iterable<Mover> {
    return this.#movers.values();
  }

  get decides(): boolean {
    return this.#decides;
  }

  get jitterMs(): number {
    return this.#jitterMs;
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
  onBegun(connection: number, idTag: string, now: number): void {
    this.#own.add(idTag);
    this.#byId.clear();
    this.#connection += 1;
    [this.#planeConnection, this.#began, this.#settled] = [connection, now, false];
    for (const mover of [...this.#movers.values()])
      if (mover.kind !== "object" && mover.name === idTag) this.#remove(mover);
  }

  onEntered(connection: number, id: number, kind: MoverKindByte, name: string): void {
    if (connection === this.#planeConnection && (kind === 3 || !this.#own.has(name)))
      this.#byId.set(id, this.#enter(KINDS[kind] ?? "object", name));
  }

  onLeft(connection: number, id: number): void {
    if (connection !== this.#planeConnection) return;
    const mover = this.#byId.get(id);
    this.#byId.delete(id);
    if (mover !== undefined) this.#remove(mover);
  }

  onMoved(connection: number, id: number, at: number, pose: Float64Array): void {
    const mover = connection === this.#planeConnection ? this.#byId.get(id) : undefined;
    if (mover === undefined) return;
    mover.at = at;
    mover.pose.set(pose);
    for (const { onMoved } of this.#listeners) onMoved(mover, at, pose);
  }

  onVoice(voice: number, idTag: string): void {
    this.voices.handleVoice(voice, idTag);
  }

  onFlowRights(rights: FlowRights | null): void {
    this.voices.handleRights(rights);
  }

  onOpened(kind: TransportKind): void {
    this.way = kind;
  }

  /** Ends the connection. Without another one soon, movers are removed and camera messages take over. */
  onEnded(now: number): void {
    if (this.way === null) return;
    this.way = null;
    this.#connection += 1;
    [this.#planeConnection, this.#began, this.#settled] = [undefined, now, false];
  }

  onJitter(jitterMs: number): void {
    this.#jitterMs = jitterMs;
  }

  /** Updates `decides`, and removes the movers that no connection has announced again in time. */
  onTime(now: number): void {
    if (now - this.#began < MOTION_SETTLED_MS) return;
    // Set before `onLeft` runs, so that its listeners read the new value.
    this.#decides = this.way !== null;
    if (this.#settled) return;
    this.#settled = true;
    for (const mover of [...this.#movers.values()]) if (mover.connection !== this.#connection) this.#remove(mover);
  }

  onRefused(): void {
    this.clear();
  }

  /** Removes all movers. */
  clear(): void {
    this.way = null;
    this.#decides = false;
    this.#connection += 1;
    this.#planeConnection = undefined;
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
