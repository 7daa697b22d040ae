/** The interface between a motion plane and the list of movers. Each call may cross from a worker to the page. */
import type { FlowRights, Pose } from "../types.ts";
import type { MoverKindByte } from "./frame.ts";
import type { TransportKind } from "./transport.ts";
import type { PlayerLink, SourceLink } from "./voice-link.ts";

/** Receives the events of a motion plane, until that is closed. `connection` is the number of one of its connections. */
export interface MotionPlaneListener {
  /** A connection begins. It announces all movers anew. */
  onBegun(connection: number, idTag: string, now: number): void;
  /** A mover entered. Its id is valid until it leaves, or another connection begins. */
  onEntered(connection: number, id: number, kind: MoverKindByte, name: string): void;
  onLeft(connection: number, id: number): void;
  /** A newer pose: position and rotation. The array is reused after the call. `at` is as in `MotionListener.onMoved`. */
  onMoved(connection: number, id: number, at: number, pose: Float64Array): void;
  /** A voice begins, or begins again: its number in units, and the idTag of its speaker. */
  onVoice(voice: number, idTag: string): void;
  /** The rights of the newest ticket; `null` in a scene without voice. */
  onFlowRights(rights: FlowRights | null): void;
  /** The transport of the connection that began last is open. */
  onOpened(kind: TransportKind): void;
  /** No transport is open any more. */
  onEnded(now: number): void;
  /** Recent lateness of frames, in milliseconds. */
  onJitter(jitterMs: number): void;
  /** Called every `MOTION_BEAT_MS`. */
  onTime(now: number): void;
  /** The plane is closed for good, because the realm offers none to this person. */
  onRefused(): void;
}

/** A person's connection to the motion plane, on this thread or in a worker. */
export interface MotionPlane {
  /** Whether the plane delivers this person's head, so that camera messages need not. */
  readonly carries: boolean;
  /** Sets the pose of the head or a hand; `null` withdraws it. */
  move(kind: MoverKindByte, pose: Pose | null): void;
  /** Sets the pose of a scene object; `null` releases it. */
  moveObject(objectId: string, pose: Pose | null): void;
  /** Whether the realm accepts this person's poses of an object. */
  holds(objectId: string): boolean;
  /** Sends voices to a player, in place of an earlier one. */
  hear(player: PlayerLink | undefined): void;
  /** Takes units from a source, in place of an earlier one. */
  speak(source: SourceLink | undefined): void;
  /** Disconnects for good. */
  close(): void;
}
