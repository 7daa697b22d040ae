/** The interface of the motion plane's transports. Tests implement it by a script. */
import type { MotionTicket } from "./ticket.ts";

/** The transports of frames. */
export type TransportKind = "webtransport" | "websocket";

/** An open transport. */
export interface MotionTransport {
  /** Copies and sends a frame, or drops it if the queue is full, as a newer one follows. */
  send(frame: Uint8Array): void;
  close(): void;
}

/** Callbacks of a transport. */
export interface TransportListener {
  readonly onFrame: (bytes: Uint8Array) => void;
  /** Called when an open transport has ended, also after `close`. */
  readonly onEnded: () => void;
}

/** Opens a transport, or rejects. Aborting `signal` closes it. */
export type OpenTransport<Offer> = (
  offer: Offer,
  listener: TransportListener,
  signal: AbortSignal,
) => Promise<MotionTransport>;

/** The transports that this platform has. */
export interface MotionTransports {
  readonly webTransport?: OpenTransport<NonNullable<MotionTicket["webTransport"]>>;
  readonly webSocket?: OpenTransport<NonNullable<MotionTicket["webSocket"]>>;
}
