/** The interface of the session's connection to the realm. Tests implement it by a script. */
import type { Hindrance } from "./errors.ts";
import type { Delivery } from "./replica.ts";

/** A message to publish. */
export interface Outgoing {
  readonly topic: string;
  readonly payload: string;
  /** Publishes with QoS 1; the promise resolves at the acknowledgement. */
  readonly acknowledged: boolean;
}

/** Why a connection ended. */
export interface Ended {
  readonly reason: string;
  /** Whether a retry is pointless. */
  readonly final: boolean;
  /** The kind of refusal, if known. */
  readonly hindrance?: Hindrance;
}

/** Arguments of {@link Connect}. */
export interface ConnectRequest {
  /** `ws://…/mqtt/` or `wss://…/mqtt/` */
  readonly url: string;
  readonly clientId: string;
  readonly username: string;
  readonly token: string;
  readonly keepAliveS: number;
  /** The message that the realm publishes when the connection breaks. */
  readonly will?: { readonly topic: string; readonly payload: string };
  readonly onMessage: (delivery: Delivery) => void;
  /** Called for each received packet, including the answer to {@link Connection.ask}. */
  readonly onHeard: () => void;
  /** Called at most once, after the connection was open. */
  readonly onEnded: (ended: Ended) => void;
}

/** An open connection. */
export interface Connection {
  /** Rejects with a `RefusedError`, or with a `LostError` if the connection ends first. */
  publish(message: Outgoing): Promise<void>;
  /** Rejects with a `RefusedError` if one of the filters is refused. */
  subscribe(filters: readonly string[]): Promise<void>;
  /** Sends a PINGREQ. */
  ask(): void;
  close(): Promise<void>;
}

/** Opens a connection. Rejects with a `RefusedError` if a retry is pointless, otherwise with a `LostError`. */
export type Connect = (request: ConnectRequest) => Promise<Connection>;
