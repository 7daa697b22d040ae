/** Messages between a page and the worker that runs its motion plane. */
import type { FlowRights, Pose } from "../types.ts";
import type { MoverKindByte } from "./frame.ts";
import type { MotionTicket } from "./ticket.ts";
import type { TransportKind } from "./transport.ts";
import type { PlayerLink, SourceLink } from "./voice-link.ts";

/** From the page to the worker. */
export type MotionWorkerRequest =
  | { readonly kind: "move"; readonly part: MoverKindByte; readonly pose: Pose | null }
  | { readonly kind: "object"; readonly objectId: string; readonly pose: Pose | null }
  /** The answer to a request for a ticket; `failed` if another request may succeed. */
  | { readonly kind: "ticket"; readonly ticket: MotionTicket | undefined; readonly failed: boolean }
  /** The ports of these two are transferred. */
  | { readonly kind: "hear"; readonly player: PlayerLink | undefined }
  | { readonly kind: "speak"; readonly source: SourceLink | undefined }
  | { readonly kind: "close" };

/** From the worker to the page. */
export type MotionWorkerReport =
  | { readonly kind: "ticket" }
  | {
      readonly kind: "events";
      /** The worker's `performance.timeOrigin`, from which it counts all times. */
      readonly timeOrigin: number;
      readonly events: readonly MotionWorkerEvent[];
      readonly jitterMs: number;
      /** Whether the plane delivers the head. */
      readonly carries: boolean;
      /** Objects whose poses the realm accepts. */
      readonly held: readonly string[];
    };

/** An event of a `MotionPlaneListener`. */
export type MotionWorkerEvent =
  | { readonly kind: "begun"; readonly connection: number; readonly idTag: string; readonly now: number }
  | {
      readonly kind: "entered";
      readonly connection: number;
      readonly id: number;
      readonly mover: MoverKindByte;
      readonly name: string;
    }
  | { readonly kind: "left"; readonly connection: number; readonly id: number }
  /** Poses, each of `POSE_NUMBERS`: id, time, position, rotation. */
  | { readonly kind: "moved"; readonly connection: number; readonly poses: Float64Array<ArrayBuffer> }
  | { readonly kind: "voice"; readonly voice: number; readonly idTag: string }
  | { readonly kind: "rights"; readonly rights: FlowRights | null }
  | { readonly kind: "opened"; readonly transport: TransportKind }
  | { readonly kind: "ended"; readonly now: number }
  | { readonly kind: "refused" };

/** Numbers of one pose in a `moved` event. */
export const POSE_NUMBERS = 9;

/** One end of the channel between page and worker. */
export interface MotionPort<Sent, Received> {
  postMessage(message: Sent, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<Received>) => void) | null;
}
