/** The interface of the motion plane's transports. Tests implement it by a script. */
import type { MotionTicket } from "./ticket.ts";

/** The transports of frames. */
export type TransportKind = "webtransport" | "websocket";

/** Content of a frame: poses with acknowledgements, of which the newest counts, or voice. */
export type FrameClass = "poses" | "voice";

/** An open transport. */
export interface MotionTransport {
  /**
   * Copies and sends a frame. While the transport is busy, voice goes first and waits for at most
   * `MOTION_VOICE_AGE_MS_MAX`, and newer poses replace older ones.
   */
  send(frame: Uint8Array, frameClass: FrameClass): void;
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
