/**
 * Keeps a person connected to the motion plane of a scene: gets a ticket, opens WebTransport or else a WebSocket, and
 * reconnects. Without either, camera messages carry the poses. Source: `spec/wire.md` section 1.
 */
import { BackOff } from "../back-off.ts";
import type { Clock } from "../clock.ts";
import { CONNECT_MS, MOTION_BEAT_MS, MOTION_OPEN_TIMEOUT_MS, MOTION_RETRY_S } from "../limits.ts";
import type { Pose } from "../types.ts";
import type { MoverKindByte } from "./frame.ts";
import { MotionSession } from "./motion-session.ts";
import type { MotionPlane, MotionPlaneListener } from "./plane-listener.ts";
import { MotionReplica } from "./replica.ts";
import type { MotionTicket } from "./ticket.ts";
import type { MotionTransports, OpenTransport, TransportKind } from "./transport.ts";

/** Dependencies of a {@link ReconnectingMotionConnection}. */
export interface MotionPlaneOptions {
  /** Requests a ticket; `undefined` if there is none for this person. */
  readonly ticket: () => Promise<MotionTicket | undefined>;
  readonly transports: MotionTransports;
  readonly listener: MotionPlaneListener;
  /** A monotonic clock. */
  readonly clock: Clock;
  readonly random: () => number;
}

/** An open connection. */
interface OpenMotionConnection {
  readonly kind: TransportKind;
  readonly session: MotionSession;
  /** Resolves when the connection has ended. */
  readonly over: Promise<void>;
  readonly openedAt: number;
  readonly end: () => void;
}

/** One attempt to open a transport. */
interface TransportAttempt<Offer> {
  readonly kind: TransportKind;
  readonly idTag: string;
  readonly offer: Offer | null;
  readonly open: OpenTransport<Offer> | undefined;
}

/** A person's connection to the motion plane, which reconnects by itself. */
export class ReconnectingMotionConnection implements MotionPlane {
  readonly #options: MotionPlaneOptions;
  readonly #backOff: BackOff;
  readonly #limbs = new Map<MoverKindByte, Pose>();
  readonly #objects = new Map<string, Pose>();
  readonly #closed = new AbortController();
  #opened: OpenMotionConnection | undefined;
  #connections = 0;

  constructor(options: MotionPlaneOptions) {
    this.#options = options;
    this.#backOff = new BackOff(options.random);
  }

  get carries(): boolean {
    return this.#opened?.session.uplink.isShown ?? false;
  }

  move(kind: MoverKindByte, pose: Pose | null): void {
    if (pose === null) this.#limbs.delete(kind);
    else this.#limbs.set(kind, pose);
    const session = this.#opened?.session;
    if (pose === null) session?.uplink.lose(kind, "", this.#options.clock.now());
    else session?.uplink.move(kind, "", pose, this.#options.clock.now());
    session?.handleMoved();
  }

  moveObject(objectId: string, pose: Pose | null): void {
    if (pose === null) this.#objects.delete(objectId);
    else this.#objects.set(objectId, pose);
    const session = this.#opened?.session;
    if (pose === null) session?.uplink.lose(3, objectId, this.#options.clock.now());
    else session?.uplink.move(3, objectId, pose, this.#options.clock.now());
    session?.handleMoved();
  }

  holds(objectId: string): boolean {
    return this.#opened?.session.uplink.holds(objectId) ?? false;
  }

  /** Stays connected until `close`, or until a ticket request fails for good or offers no transport. */
  async run(): Promise<void> {
    const { transports, listener } = this.#options;
    if (transports.webTransport === undefined && transports.webSocket === undefined) return;
    this.#tick();
    while (!this.#isClosed) {
      const livedMs = await this.#connectOnce();
      if (this.#isClosed) return;
      if (livedMs === "never") {
        this.close();
        return listener.onRefused();
      }
      await this.#pause(this.#backOff.nextMs(livedMs));
    }
  }

  close(): void {
    this.#closed.abort();
    this.#leave();
  }

  get #isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** Opens a connection and resolves with its lifetime when it has ended; `never` rules out a retry. */
  async #connectOnce(): Promise<number | "never"> {
    const { clock, ticket } = this.#options;
    try {
      const offered = await ticket();
      if (offered === undefined || (offered.webTransport === null && offered.webSocket === null)) return "never";
      const opened = (await this.#tryWebTransport(offered)) ?? (await this.#tryWebSocket(offered));
      if (opened === undefined) return 0;
      if (this.#isClosed) opened.end();
      else this.#adopt(opened);
      await this.#awaitEnd();
      return clock.now() - opened.openedAt;
    } catch {
      return 0;
    }
  }

  /**
   * Resolves when the connection has ended. On a WebSocket, tries WebTransport every `MOTION_RETRY_S`, and replaces the
   * WebSocket once WebTransport opens.
   */
  async #awaitEnd(): Promise<void> {
    while (this.#opened !== undefined) {
      const now = this.#opened;
      if (now.kind === "webtransport") await now.over;
      else {
        await Promise.race([now.over, this.#pause(MOTION_RETRY_S * 1_000)]);
        // The realm ends the WebSocket when WebTransport connects, so `now` may be over after this.
        if (!now.session.isOver) await this.#upgrade(now);
      }
      if (this.#opened === now && now.session.isOver) this.#leave();
    }
  }

  async #upgrade(from: OpenMotionConnection): Promise<void> {
    if (this.#opened !== from) return;
    const offered = await this.#options.ticket().catch(() => undefined);
    if (offered === undefined || this.#opened !== from) return;
    const opened = await this.#tryWebTransport(offered);
    if (opened === undefined) return;
    if (this.#isClosed) opened.end();
    else this.#adopt(opened);
  }

  #adopt(opened: OpenMotionConnection): void {
    const before = this.#opened;
    this.#opened = opened;
    this.#options.listener.onOpened(opened.kind);
    before?.end();
  }

  #leave(): void {
    const before = this.#opened;
    this.#opened = undefined;
    before?.end();
    this.#options.listener.onEnded(this.#options.clock.now());
  }

  #tryWebTransport({ idTag, webTransport }: MotionTicket): Promise<OpenMotionConnection | undefined> {
    const { webTransport: open } = this.#options.transports;
    return this.#try({ kind: "webtransport", idTag, offer: webTransport, open }, MOTION_OPEN_TIMEOUT_MS);
  }

  #tryWebSocket({ idTag, webSocket }: MotionTicket): Promise<OpenMotionConnection | undefined> {
    const { webSocket: open } = this.#options.transports;
    return this.#try({ kind: "websocket", idTag, offer: webSocket, open }, CONNECT_MS);
  }

  /** Opens a transport; `undefined` if it is unavailable or doesn't open in time. */
  async #try<Offer>(
    { kind, idTag, offer, open }: TransportAttempt<Offer>,
    withinMs: number,
  ): Promise<OpenMotionConnection | undefined> {
    if (offer === null || open === undefined || this.#isClosed) return undefined;
    const { clock } = this.#options;
    const giveUp = new AbortController();
    const cancel = clock.after(withinMs, () => giveUp.abort());
    const signal = AbortSignal.any([this.#closed.signal, giveUp.signal]);
    let session: MotionSession | undefined;
    // The session begins only when the transport opens or delivers a frame. Until then the previous one continues.
    const begin = () => {
      session ??= this.#begin(idTag);
      return session;
    };
    let end: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      end = () => {
        session?.close();
        resolve();
      };
    });
    try {
      const opening = open(offer, { onFrame: (bytes) => begin().handleFrame(bytes), onEnded: end }, signal);
      const transport = await Promise.race([opening, aborted(signal)]);
      begin().handleOpened(transport);
      return { kind, session: begin(), over, openedAt: clock.now(), end };
    } catch {
      return undefined;
    } finally {
      cancel();
    }
  }

  #begin(idTag: string): MotionSession {
    const { clock, listener } = this.#options;
    const onJitter = (jitterMs: number) => listener.onJitter(jitterMs);
    const session = new MotionSession({ idTag, clock, replica: this.#newReplica(idTag), onJitter });
    for (const [kind, pose] of this.#limbs) session.uplink.move(kind, "", pose, clock.now());
    for (const [objectId, pose] of this.#objects) session.uplink.move(3, objectId, pose, clock.now());
    return session;
  }

  #newReplica(idTag: string): MotionReplica {
    const { clock, listener } = this.#options;
    this.#connections += 1;
    const connection = this.#connections;
    listener.onBegun(connection, idTag, clock.now());
    const replica = new MotionReplica();
    const report = (event: () => void) => {
      if (!this.#isClosed) event();
    };
    replica.onEntered = ({ id, kind, name }) => report(() => listener.onEntered(connection, id, kind, name));
    replica.onLeft = ({ id }) => report(() => listener.onLeft(connection, id));
    replica.onMoved = ({ id }, at, pose) => {
      if (!this.#isClosed) listener.onMoved(connection, id, at, pose);
    };
    return replica;
  }

  #tick(): void {
    const { clock, listener } = this.#options;
    if (this.#isClosed) return;
    this.#opened?.session.handleTime();
    if (this.#opened?.session.isSilent) this.#opened.end();
    listener.onTime(clock.now());
    clock.after(MOTION_BEAT_MS, () => this.#tick());
  }

  /** Resolves after `delayMs`, or on `close`. */
  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(delayMs, resolve);
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
