/** The page's side of a motion plane in a worker. */
import type { Clock } from "../clock.ts";
import { MOTION_BEAT_MS } from "../limits.ts";
import type { Pose } from "../types.ts";
import type { MoverKindByte } from "./frame.ts";
import type { MotionPlane, MotionPlaneListener } from "./plane-listener.ts";
import type { MotionTicket } from "./ticket.ts";
import type { PlayerLink, SourceLink } from "./voice-link.ts";
import {
  type MotionPort,
  type MotionWorkerEvent,
  type MotionWorkerReport,
  type MotionWorkerRequest,
  POSE_NUMBERS,
} from "./worker-messages.ts";

/** Dependencies of a {@link WorkerMotionPlane}. */
export interface WorkerMotionPlaneOptions {
  readonly port: MotionPort<MotionWorkerRequest, MotionWorkerReport>;
  /** Requests a ticket; `undefined` if there is none for this person. */
  readonly ticket: () => Promise<MotionTicket | undefined>;
  readonly listener: MotionPlaneListener;
  readonly clock: Clock;
  /** Time zero of `clock`, as `performance.timeOrigin`. */
  readonly timeOrigin: number;
}

/** A motion plane in a worker. */
export class WorkerMotionPlane implements MotionPlane {
  readonly #options: WorkerMotionPlaneOptions;
  #isClosed = false;
  #carries = false;
  #held: ReadonlySet<string> = new Set();

  constructor(options: WorkerMotionPlaneOptions) {
    this.#options = options;
    options.port.onmessage = ({ data }) => this.#handle(data);
    this.#tick();
  }

  get carries(): boolean {
    return this.#carries;
  }

  move(part: MoverKindByte, pose: Pose | null): void {
    this.#post({ kind: "move", part, pose });
  }

  moveObject(objectId: string, pose: Pose | null): void {
    this.#post({ kind: "object", objectId, pose });
  }

  holds(objectId: string): boolean {
    return this.#held.has(objectId);
  }

  hear(player: PlayerLink | undefined): void {
    this.#post({ kind: "hear", player }, player === undefined ? [] : [player.port]);
  }

  speak(source: SourceLink | undefined): void {
    this.#post({ kind: "speak", source }, source === undefined ? [] : [source.port]);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#post({ kind: "close" });
    this.#isClosed = true;
    this.#carries = false;
    this.#held = new Set();
    this.#options.listener.onEnded(this.#options.clock.now());
  }

  #post(request: MotionWorkerRequest, transfer: Transferable[] = []): void {
    if (!this.#isClosed) this.#options.port.postMessage(request, transfer);
  }

  #handle(report: MotionWorkerReport): void {
    if (this.#isClosed) return;
    if (report.kind === "ticket") {
      void this.#answerTicket();
      return;
    }
    this.#carries = report.carries;
    this.#held = new Set(report.held);
    const { listener, timeOrigin } = this.#options;
    listener.onJitter(report.jitterMs);
    // Both clocks are monotonic. They differ by when page and worker were made.
    const behindMs = report.timeOrigin - timeOrigin;
    for (const event of report.events) this.#dispatch(event, behindMs);
  }

  async #answerTicket(): Promise<void> {
    try {
      this.#post({ kind: "ticket", ticket: await this.#options.ticket(), failed: false });
    } catch {
      this.#post({ kind: "ticket", ticket: undefined, failed: true });
    }
  }

  #dispatch(event: MotionWorkerEvent, behindMs: number): void {
    const { listener } = this.#options;
    if (event.kind === "moved") this.#dispatchPoses(event, behindMs);
    else if (event.kind === "begun") listener.onBegun(event.connection, event.idTag, event.now + behindMs);
    else if (event.kind === "entered") listener.onEntered(event.connection, event.id, event.mover, event.name);
    else if (event.kind === "left") listener.onLeft(event.connection, event.id);
    else if (event.kind === "voice") listener.onVoice(event.voice, event.idTag);
    else if (event.kind === "rights") listener.onFlowRights(event.rights);
    else if (event.kind === "opened") listener.onOpened(event.transport);
    else if (event.kind === "ended") listener.onEnded(event.now + behindMs);
    else listener.onRefused();
  }

  #dispatchPoses({ connection, poses }: MotionWorkerEvent & { kind: "moved" }, behindMs: number): void {
    for (let at = 0; at + POSE_NUMBERS <= poses.length; at += POSE_NUMBERS) {
      const pose = poses.subarray(at + 2, at + POSE_NUMBERS);
      this.#options.listener.onMoved(connection, poses[at] ?? 0, (poses[at + 1] ?? 0) + behindMs, pose);
    }
  }

  #tick(): void {
    const { clock, listener } = this.#options;
    if (this.#isClosed) return;
    listener.onTime(clock.now());
    clock.after(MOTION_BEAT_MS, () => this.#tick());
  }
}
