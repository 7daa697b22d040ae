/** The ways by which frames go, arguments of the motion plane, so that tests can script them. */
import type { MotionTicket } from "./ticket.ts";

/** How frames come and go. */
export type TransportKind = "webtransport" | "websocket";

/** A way that is open. */
export interface MotionTransport {
  /** Sends a frame, or drops it where there is no room: a newer one comes. It is copied. */
  send(frame: Uint8Array): void;
  close(): void;
}

/** Who listens to a way. */
export interface TransportListener {
  readonly onFrame: (bytes: Uint8Array) => void;
  /** Called once it is over, also after `close`; never before it was open. */
  readonly onEnded: () => void;
}

/** Opens a way; rejects where it can't be. What is aborted closes. */
export type OpenTransport<Offer> = (
  offer: Offer,
  listener: TransportListener,
  signal: AbortSignal,
) => Promise<MotionTransport>;

/** The ways that this program has. */
export interface MotionTransports {
  readonly webTransport?: OpenTransport<NonNullable<MotionTicket["webTransport"]>>;
  readonly webSocket?: OpenTransport<NonNullable<MotionTicket["webSocket"]>>;
}
