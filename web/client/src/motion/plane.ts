/**
 * Keeps a person connected to the motion plane of a scene: gets a ticket, opens WebTransport or else a WebSocket, and
 * reconnects. Without either, camera messages carry the poses. Source: `spec/wire.md` section 1.
 */
import { BackOff } from "../back-off.ts";
import type { Clock } from "../clock.ts";
import { ApiError } from "../errors.ts";
import { CONNECT_MS, MOTION_BEAT_MS, MOTION_OPEN_TIMEOUT_MS, MOTION_RETRY_S } from "../limits.ts";
import type { Pose } from "../types.ts";
import type { MotionFeed } from "./feed.ts";
import type { ObjectKind } from "./frame.ts";
import { MotionSession } from "./motion-session.ts";
import type { MotionTicket } from "./ticket.ts";
import type { MotionTransports, OpenTransport, TransportKind } from "./transport.ts";

/** Dependencies of a {@link MotionPlane}. */
export interface PlaneParts {
  /** Requests a ticket; `undefined` if the response has none. */
  readonly ticket: () => Promise<MotionTicket | undefined>;
  readonly ways: MotionTransports;
  readonly feed: MotionFeed;
  /** A monotonic clock. */
  readonly clock: Clock;
  readonly random: () => number;
}

/** An open connection. */
interface Opened {
  readonly kind: TransportKind;
  readonly stay: MotionSession;
  /** Resolves when the connection has ended. */
  readonly over: Promise<void>;
  readonly openedAt: number;
  readonly end: () => void;
}

/** One attempt to open a transport. */
interface Attempt<Offer> {
  readonly kind: TransportKind;
  readonly idTag: string;
  readonly offer: Offer | null;
  readonly open: OpenTransport<Offer> | undefined;
}

/** A person's connection to the motion plane, which reconnects by itself. */
export class MotionPlane {
  readonly #parts: PlaneParts;
  readonly #backOff: BackOff;
  readonly #own = new Map<ObjectKind, Pose>();
  readonly #objects = new Map<string, Pose>();
  readonly #closed = new AbortController();
  #opened: Opened | undefined;

  constructor(parts: PlaneParts) {
    this.#parts = parts;
    this.#backOff = new BackOff(parts.random);
  }

  /** Whether the plane delivers this person's head, so that camera messages need not. */
  get carries(): boolean {
    return this.#opened?.stay.uplink.isShown ?? false;
  }

  /** Sets the pose of the head or a hand; `null` withdraws it. */
  move(kind: ObjectKind, pose: Pose | null): void {
    if (pose === null) this.#own.delete(kind);
    else this.#own.set(kind, pose);
    const stay = this.#opened?.stay;
    if (pose === null) stay?.uplink.lose(kind, "", this.#parts.clock.now());
    else stay?.uplink.move(kind, "", pose, this.#parts.clock.now());
    stay?.handleMoved();
  }

  /** Sets the pose of a scene object; `null` releases it. */
  moveObject(objectId: string, pose: Pose | null): void {
    if (pose === null) this.#objects.delete(objectId);
    else this.#objects.set(objectId, pose);
    const stay = this.#opened?.stay;
    if (pose === null) stay?.uplink.lose(3, objectId, this.#parts.clock.now());
    else stay?.uplink.move(3, objectId, pose, this.#parts.clock.now());
    stay?.handleMoved();
  }

  /** Whether the realm accepts this person's poses of an object. */
  holds(objectId: string): boolean {
    return this.#opened?.stay.uplink.holds(objectId) ?? false;
  }

  /** Stays connected until `close`, or until the realm offers this person no transport. */
  async run(): Promise<void> {
    const { ways, feed } = this.#parts;
    if (ways.webTransport === undefined && ways.webSocket === undefined) return;
    this.#beat();
    while (!this.#isClosed) {
      const livedMs = await this.#stayOnce();
      if (this.#isClosed) return;
      if (livedMs === "never") {
        this.close();
        return feed.clear();
      }
      await this.#wait(this.#backOff.nextMs(livedMs));
    }
  }

  /** Disconnects for good. */
  close(): void {
    this.#closed.abort();
    this.#leave();
  }

  get #isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** Opens a connection and resolves with its lifetime when it has ended; `never` rules out a retry. */
  async #stayOnce(): Promise<number | "never"> {
    const { clock, ticket } = this.#parts;
    try {
      const given = await ticket();
      if (given === undefined || (given.webTransport === null && given.webSocket === null)) return "never";
      const opened = (await this.#tryWebTransport(given)) ?? (await this.#tryWebSocket(given));
      if (opened === undefined) return 0;
      if (this.#isClosed) opened.end();
      else this.#adopt(opened);
      await this.#remain();
      return clock.now() - opened.openedAt;
    } catch (error) {
      return error instanceof ApiError && !error.isTransient ? "never" : 0;
    }
  }

  /** Resolves when the connection has ended. A WebSocket is replaced by WebTransport as soon as that opens. */
  async #remain(): Promise<void> {
    while (this.#opened !== undefined) {
      const now = this.#opened;
      if (now.kind === "webtransport") await now.over;
      else {
        await Promise.race([now.over, this.#wait(MOTION_RETRY_S * 1_000)]);
        // The realm ends the WebSocket when WebTransport connects, so `now` may be over after this.
        if (!now.stay.isOver) await this.#upgrade(now);
      }
      if (this.#opened === now && now.stay.isOver) this.#leave();
    }
  }

  async #upgrade(from: Opened): Promise<void> {
    if (this.#opened !== from) return;
    const given = await this.#parts.ticket().catch(() => undefined);
    if (given === undefined || this.#opened !== from) return;
    const opened = await this.#tryWebTransport(given);
    if (opened === undefined) return;
    if (this.#isClosed) opened.end();
    else this.#adopt(opened);
  }

  #adopt(opened: Opened): void {
    const before = this.#opened;
    this.#opened = opened;
    this.#parts.feed.way = opened.kind;
    before?.end();
  }

  #leave(): void {
    const before = this.#opened;
    this.#opened = undefined;
    before?.end();
    this.#parts.feed.end(this.#parts.clock.now());
  }

  #tryWebTransport({ idTag, webTransport }: MotionTicket): Promise<Opened | undefined> {
    const { webTransport: open } = this.#parts.ways;
    return this.#try({ kind: "webtransport", idTag, offer: webTransport, open }, MOTION_OPEN_TIMEOUT_MS);
  }

  #tryWebSocket({ idTag, webSocket }: MotionTicket): Promise<Opened | undefined> {
    const { webSocket: open } = this.#parts.ways;
    return this.#try({ kind: "websocket", idTag, offer: webSocket, open }, CONNECT_MS);
  }

  /** Opens a transport; `undefined` if it doesn't open in time. */
  async #try<Offer>({ kind, idTag, offer, open }: Attempt<Offer>, withinMs: number): Promise<Opened | undefined> {
    if (offer === null || open === undefined || this.#isClosed) return undefined;
    const { clock } = this.#parts;
    const giveUp = new AbortController();
    const cancel = clock.after(withinMs, () => giveUp.abort());
    const signal = AbortSignal.any([this.#closed.signal, giveUp.signal]);
    let stay: MotionSession | undefined;
    // Begun only when the transport opens or delivers a frame. The previous connection serves until then.
    const begun = () => {
      stay ??= this.#begin(idTag);
      return stay;
    };
    let end: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      end = () => {
        stay?.close();
        resolve();
      };
    });
    try {
      const opening = open(offer, { onFrame: (bytes) => begun().handleFrame(bytes), onEnded: end }, signal);
      const transport = await Promise.race([opening, aborted(signal)]);
      begun().handleOpened(transport);
      return { kind, stay: begun(), over, openedAt: clock.now(), end };
    } catch {
      return undefined;
    } finally {
      cancel();
    }
  }

  #begin(idTag: string): MotionSession {
    const { clock, feed } = this.#parts;
    const stay = new MotionSession({ idTag, clock, replica: feed.begin(idTag, clock.now()) });
    for (const [kind, pose] of this.#own) stay.uplink.move(kind, "", pose, clock.now());
    for (const [objectId, pose] of this.#objects) stay.uplink.move(3, objectId, pose, clock.now());
    return stay;
  }

  #beat(): void {
    const { clock, feed } = this.#parts;
    if (this.#isClosed) return;
    this.#opened?.stay.handleTime();
    if (this.#opened?.stay.isSilent) this.#opened.end();
    feed.handleTime(clock.now());
    clock.after(MOTION_BEAT_MS, () => this.#beat());
  }

  /** Resolves after `delayMs`, or on `close`. */
  #wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#parts.clock.after(delayMs, resolve);
      const wake = () => {
        cancel();
        resolve();
      };
      if (this.#isClosed) wake();
      else this.#closed.signal.addEventListener("abort", wake, { once: true });
    });
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
