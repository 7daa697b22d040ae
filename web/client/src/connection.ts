/** The connection to the realm, an argument of the session, so that tests can script it. */
import type { Hindrance } from "./errors.ts";
import type { Delivery } from "./replica.ts";

/** A message of one's own. */
export interface Outgoing {
  readonly topic: string;
  readonly payload: string;
  /** QoS 1: the promise resolves when the realm acknowledged it. */
  readonly acknowledged: boolean;
}

/** Why a connection ended. */
export interface Ended {
  readonly reason: string;
  /** Whether it makes no sense to try again. */
  readonly final: boolean;
  /** What keeps one away, where it is known. */
  readonly hindrance?: Hindrance;
}

/** What is needed to open a connection. */
export interface ConnectRequest {
  /** `ws://…/mqtt/` or `wss://…/mqtt/` */
  readonly url: string;
  readonly clientId: string;
  readonly username: string;
  readonly token: string;
  readonly keepAliveS: number;
  /** Published by the realm when the connection breaks. */
  readonly will?: { readonly topic: string; readonly payload: string };
  readonly onMessage: (delivery: Delivery) => void;
  /** Called on whatever comes, an answer to {@link Connection.ask} too. */
  readonly onHeard: () => void;
  /** Called at most once, never before the connection was open. */
  readonly onEnded: (ended: Ended) => void;
}

/** An open connection. */
export interface Connection {
  /** Rejects with a `RefusedError`, or a `LostError` where the connection ended first. */
  publish(message: Outgoing): Promise<void>;
  /** Rejects with a `RefusedError` where one of them is refused. */
  subscribe(filters: readonly string[]): Promise<void>;
  /** Asks the realm for a sign that it is there. */
  ask(): void;
  close(): Promise<void>;
}

/** Opens a connection. Rejects with a `RefusedError` (the realm said no) or a `LostError` (it said nothing). */
export type Connect = (request: ConnectRequest) => Promise<Connection>;
