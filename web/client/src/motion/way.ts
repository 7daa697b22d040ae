/** The ways by which frames go, arguments of the motion plane, so that tests can script them. */
import type { MotionTicket } from "./ticket.ts";

/** How frames come and go. */
export type WayKind = "webtransport" | "websocket";

/** A way that is open. */
export interface Way {
  /** Sends a frame, or drops it where there is no room: a newer one comes. It is copied. */
  send(frame: Uint8Array): void;
  close(): void;
}

/** Who listens to a way. */
export interface WayListener {
  readonly onFrame: (bytes: Uint8Array) => void;
  /** Called once it is over, also after `close`; never before it was open. */
  readonly onEnded: () => void;
}

/** Opens a way; rejects where it can't be. What is aborted closes. */
export type OpenWay<Offer> = (offer: Offer, listener: WayListener, signal: AbortSignal) => Promise<Way>;

/** The ways that this program has. */
export interface Ways {
  readonly webTransport?: OpenWay<NonNullable<MotionTicket["webTransport"]>>;
  readonly webSocket?: OpenWay<NonNullable<MotionTicket["webSocket"]>>;
}
