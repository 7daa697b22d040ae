/** The line to the realm, an argument of the session, so that tests can script it. */
import type { Received } from "./replica.ts";

/** A message of one's own. */
export interface Outgoing {
  readonly topic: string;
  readonly payload: string;
  /** QoS 1: the promise resolves when the realm acknowledged it. */
  readonly acknowledged: boolean;
}

/** Why a line ended. */
export interface Ended {
  readonly reason: string;
  /** Whether it makes no sense to try again. */
  readonly final: boolean;
}

/** What is needed to open a line. */
export interface ConnectRequest {
  /** `ws://…/mqtt/` or `wss://…/mqtt/` */
  readonly url: string;
  readonly clientId: string;
  readonly username: string;
  readonly token: string;
  readonly keepAliveS: number;
  /** Published by the realm when the line breaks. */
  readonly will?: { readonly topic: string; readonly payload: string };
  readonly onMessage: (received: Received) => void;
  /** Called at most once, never before the line was open. */
  readonly onEnded: (ended: Ended) => void;
}

/** An open line. */
export interface Transport {
  /** Rejects with a `RefusedError`, or a `LostError` where the line ended first. */
  publish(message: Outgoing): Promise<void>;
  /** Rejects with a `RefusedError` where one of them is refused. */
  subscribe(filters: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens a line. Rejects with a `RefusedError` (the realm said no) or a `LostError` (it said nothing). */
export type Connect = (request: ConnectRequest) => Promise<Transport>;
