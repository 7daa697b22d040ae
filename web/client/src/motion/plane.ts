/**
 * Keeps a person connected to the motion plane of a scene: gets a ticket, opens WebTransport or else a WebSocket, and
 * reconnects. A connection that stalls is replaced by another transport. Without a connection, camera messages carry
 * the poses. Source: `spec/wire.md` sections 1 and 8.
 */
import { BackOff } from "../back-off.ts";
import type { Clock } from "../clock.ts";
import {
  CONNECT_MS,
  MOTION_BEAT_MS,
  MOTION_OPEN_TIMEOUT_MS,
  MOTION_RETRY_MS,
  MOTION_RETRY_MS_MAX,
  SETTLED_MS,
} from "../limits.ts";
import type { FlowRights, Pose } from "../types.ts";
import type { MoverKindByte } from "./frame.ts";
import { MotionConnection } from "./motion-connection.ts";
import type { MotionSession } from "./motion-session.ts";
import type { OutgoingVoice } from "./outgoing-voice.ts";
import type { MotionPlane, MotionPlaneListener } from "./plane-listener.ts";
import { PlaneVoices } from "./plane-voices.ts";
import type { MotionTicket } from "./ticket.ts";
import type {
  MotionTransport,
  MotionTransports,
  OpenTransport,
  TransportKind,
  TransportListener,
} from "./transport.ts";
import type { CapturedUnit, PlayerLink, SourceLink } from "./voice-link.ts";

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

/** How long each transport may take to open. */
const OPEN_TIMEOUT_MS = { webtransport: MOTION_OPEN_TIMEOUT_MS, websocket: CONNECT_MS } as const;
/** The order in which a new connection, or an upgrade, tries the transports. */
const FASTEST_FIRST = ["webtransport", "websocket"] as const;
/** The order in which a stalled connection is replaced, by its own transport. */
const OTHER_FIRST = { webtransport: ["websocket", "webtransport"], websocket: FASTEST_FIRST } as const;

/** A person's connection to the motion plane, which reconnects by itself. */
export class ReconnectingMotionConnection implements MotionPlane {
  readonly #options: MotionPlaneOptions;
  readonly #backOff: BackOff;
  readonly #limbs = new Map<MoverKindByte, Pose>();
  readonly #objects = new Map<string, Pose>();
  readonly #closed = new AbortController();
  /** The present connection. */
  #opened: MotionConnection | undefined;
  /** An open connection that replaces the present one with the first frame that arrives on it. */
  #later: MotionConnection | undefined;
  /** The attempt to open a later connection. */
  #replacing: Promise<void> | undefined;
  /** Gives up the attempt to replace a stalled connection, until a later connection is open. */
  #race: AbortController | undefined;
  #racedAt = Number.NEGATIVE_INFINITY;
  /** Earliest times of the next race and of the next attempt to change to WebTransport. */
  #raceAt = Number.NEGATIVE_INFINITY;
  #upgradeAt = Number.POSITIVE_INFINITY;
  /** Wait before the next attempt to change to WebTransport. */
  #retryMs = MOTION_RETRY_MS;
  readonly #voices = new PlaneVoices((voice, unit) => this.#sendUnit(voice, unit));
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
    for (const { session } of this.#open) this.#moveOn(session, kind, "", pose);
  }

  moveObject(objectId: string, pose: Pose | null): void {
    if (pose === null) this.#objects.delete(objectId);
    else this.#objects.set(objectId, pose);
    for (const { session } of this.#open) this.#moveOn(session, 3, objectId, pose);
  }

  holds(objectId: string): boolean {
    return this.#opened?.session.uplink.holds(objectId) ?? false;
  }

  hear(player: PlayerLink | undefined): void {
    this.#voices.hear(player);
    for (const { session } of this.#open) session.hear(this.#voices.hears);
  }

  speak(source: SourceLink | undefined): void {
    this.#voices.speak(source);
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
    // The later one first, so that it doesn't replace the present one.
    if (this.#later !== undefined) this.#handleEnded(this.#later);
    this.#voices.close();
    this.#leave();
    this.#closed.abort();
  }

  get #isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** The open connections. */
  get #open(): readonly MotionConnection[] {
    return [this.#opened, this.#later].filter((connection) => connection !== undefined);
  }

  /** Opens a connection and resolves with its lifetime when it and its successors have ended; `never` rules out a retry. */
  async #connectOnce(): Promise<number | "never"> {
    const { ticket } = this.#options;
    try {
      const offered = await ticket();
      if (offered === undefined || (offered.webTransport === null && offered.webSocket === null)) return "never";
      this.#adoptRights(offered.flows);
      this.#retryMs = MOTION_RETRY_MS;
      const first = await this.#tryEach(FASTEST_FIRST, offered, this.#closed.signal);
      if (first === undefined) return 0;
      while (this.#opened !== undefined) {
        await this.#opened.over;
        await this.#replacing;
      }
      return first.ageMs;
    } catch {
      return 0;
    }
  }

  /** Opens a later connection if the present one stalls, or is a WebSocket and it is time to try WebTransport. */
  #replaceIfDue(): void {
    const [opened, now] = [this.#opened, this.#options.clock.now()];
    if (opened === undefined || this.#later !== undefined || this.#replacing !== undefined) return;
    if (opened.session.isStalled && now >= this.#raceAt) this.#startRace(opened);
    else if (opened.kind === "websocket" && now >= this.#upgradeAt) {
      this.#upgradeAt = now + this.#retryMs;
      this.#replace(["webtransport"], this.#closed.signal);
    }
  }

  /** Opens another transport, unless a frame arrives on the stalled connection before. */
  #startRace(stalled: MotionConnection): void {
    const now = this.#options.clock.now();
    this.#raceAt = now + this.#backOff.nextMs(Math.min(now - this.#racedAt, stalled.ageMs));
    this.#racedAt = now;
    this.#race = new AbortController();
    this.#replace(OTHER_FIRST[stalled.kind], AbortSignal.any([this.#closed.signal, this.#race.signal]));
  }

  #adoptRights(rights: FlowRights | null): void {
    this.#voices.rights = rights;
    this.#options.listener.onFlowRights(rights);
    for (const { session } of this.#open) session.hear(this.#voices.hears);
  }

  #replace(kinds: readonly TransportKind[], signal: AbortSignal): void {
    const attempt = async () => {
      const offered = await this.#options.ticket().catch(() => undefined);
      if (offered !== undefined) {
        this.#adoptRights(offered.flows);
        await this.#tryEach(kinds, offered, signal);
      }
      [this.#replacing, this.#race] = [undefined, undefined];
    };
    this.#replacing = attempt();
  }

  /** Opens the first of the transports that opens in time. */
  async #tryEach(
    kinds: readonly TransportKind[],
    ticket: MotionTicket,
    signal: AbortSignal,
  ): Promise<MotionConnection | undefined> {
    for (const kind of kinds) {
      const connection = await this.#try(kind, ticket, signal);
      if (connection !== undefined) return connection;
    }
    return undefined;
  }

  /** Opens a transport; `undefined` if it is unavailable or doesn't open in time. */
  async #try(kind: TransportKind, ticket: MotionTicket, signal: AbortSignal): Promise<MotionConnection | undefined> {
    const { webTransport, webSocket } = this.#options.transports;
    const open =
      kind === "webtransport" ? openerOf(ticket.webTransport, webTransport) : openerOf(ticket.webSocket, webSocket);
    if (open === undefined || signal.aborted) return undefined;
    const timeout = new AbortController();
    const cancel = this.#options.clock.after(OPEN_TIMEOUT_MS[kind], () => timeout.abort());
    const either = AbortSignal.any([signal, timeout.signal]);
    const connection = this.#newConnection(kind, ticket.idTag);
    const onFrame = (bytes: Uint8Array) => this.#handleFrame(connection, bytes);
    const onEnded = () => this.#handleEnded(connection);
    try {
      const transport = await Promise.race([open({ onFrame, onEnded }, either), aborted(either)]);
      if (!either.aborted && !connection.session.isOver) {
        this.#handleOpened(connection, transport);
        return connection;
      }
    } catch {
      // The transport was refused, or didn't open in time.
    } finally {
      cancel();
    }
    this.#handleEnded(connection);
    return undefined;
  }

  #newConnection(kind: TransportKind, idTag: string): MotionConnection {
    const { clock, listener } = this.#options;
    this.#connections += 1;
    const [number, voices] = [this.#connections, this.#voices];
    return new MotionConnection({ kind, number, idTag, clock, listener, voices });
  }

  /** Sends the first frame of a connection, which ends an earlier one at the server. */
  #handleOpened(connection: MotionConnection, transport: MotionTransport): void {
    // From here on, a frame on the stalled connection no longer gives this one up.
    this.#race = undefined;
    const { session } = connection;
    session.hear(this.#voices.hears);
    for (const [kind, pose] of this.#limbs) session.uplink.move(kind, "", pose, this.#options.clock.now());
    for (const [objectId, pose] of this.#objects) session.uplink.move(3, objectId, pose, this.#options.clock.now());
    connection.handleOpened(transport);
    if (this.#opened === undefined) this.#adopt(connection);
    else this.#later = connection;
  }

  #handleFrame(connection: MotionConnection, bytes: Uint8Array): void {
    // The server sends nothing on a later connection before its first frame.
    const isEarly = this.#opened !== undefined && !this.#open.includes(connection);
    if (isEarly || connection.session.isOver) return;
    if (connection === this.#later) this.#adopt(connection);
    connection.handleFrame(bytes);
    if (connection === this.#opened && !connection.session.isStalled) this.#race?.abort();
  }

  #handleEnded(connection: MotionConnection): void {
    connection.end();
    if (connection === this.#later) this.#later = undefined;
    if (connection !== this.#opened) return;
    if (this.#later === undefined) this.#leave();
    else this.#adopt(this.#later);
  }

  #adopt(connection: MotionConnection): void {
    const before = this.#opened;
    [this.#opened, this.#later] = [connection, undefined];
    this.#planUpgrade(connection, before);
    connection.begin();
    this.#options.listener.onOpened(connection.kind);
    before?.end();
  }

  /** Lets WebTransport wait twice as long before each next upgrade, until an upgrade has lasted for `SETTLED_MS`. */
  #planUpgrade(connection: MotionConnection, before: MotionConnection | undefined): void {
    if (before?.kind === "websocket" && connection.kind === "webtransport")
      this.#retryMs = Math.min(2 * this.#retryMs, MOTION_RETRY_MS_MAX);
    if (before?.kind === "webtransport" && before.ageMs >= SETTLED_MS) this.#retryMs = MOTION_RETRY_MS;
    this.#upgradeAt = this.#options.clock.now() + this.#retryMs;
  }

  #leave(): void {
    const before = this.#opened;
    this.#opened = undefined;
    before?.end();
    this.#options.listener.onEnded(this.#options.clock.now());
  }

  /** Sends a unit on all open connections: one of them may be stalled, and the server ignores duplicates. */
  #sendUnit(voice: OutgoingVoice, unit: CapturedUnit): void {
    const sessions = this.#open.map(({ session }) => session);
    const lostPerMille = Math.max(0, ...sessions.map((session) => session.lostPerMille));
    const units = voice.add(unit, lostPerMille, this.#options.clock.now());
    for (const session of sessions) session.sendUnits(units);
  }

  #moveOn(session: MotionSession, kind: MoverKindByte, name: string, pose: Pose | null): void {
    const now = this.#options.clock.now();
    if (pose === null) session.uplink.lose(kind, name, now);
    else session.uplink.move(kind, name, pose, now);
    session.handleMoved();
  }

  #tick(): void {
    const { clock, listener } = this.#options;
    if (this.#isClosed) return;
    for (const connection of this.#open) {
      connection.session.handleTime();
      if (connection.session.isSilent) this.#handleEnded(connection);
    }
    this.#replaceIfDue();
    listener.onTime(clock.now());
    clock.after(MOTION_BEAT_MS, () => this.#tick());
  }

  /** Resolves after `delayMs`, or on `close`. */
  #pause(delayMs: number): Promise<void> {
    const { signal } = this.#closed;
    return new Promise((resolve) => {
      const wake = () => {
        cancel();
        signal.removeEventListener("abort", wake);
        resolve();
      };
      const cancel = this.#options.clock.after(delayMs, wake);
      if (signal.aborted) wake();
      else signal.addEventListener("abort", wake);
    });
  }
}

type BoundOpenTransport = (listener: TransportListener, signal: AbortSignal) => Promise<MotionTransport>;

/** Opens an offered transport; `undefined` if the ticket or the platform lacks it. */
function openerOf<Offer>(offer: Offer | null, open: OpenTransport<Offer> | undefined): BoundOpenTransport | undefined {
  return offer === null || open === undefined ? undefined : (listener, signal) => open(offer, listener, signal);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
