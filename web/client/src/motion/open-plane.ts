/** Opens a motion plane: in a worker where the platform has workers, else on this thread. */
import type { Clock } from "../clock.ts";
import { ReconnectingMotionConnection } from "./plane.ts";
import type { MotionPlane, MotionPlaneListener } from "./plane-listener.ts";
import type { MotionTicket } from "./ticket.ts";
import type { MotionTransports } from "./transport.ts";
import { WorkerMotionPlane } from "./worker-plane.ts";

/** Arguments of an {@link OpenMotionPlane}. */
export interface MotionPlaneRequest {
  /** Requests a ticket; `undefined` if there is none for this person. */
  readonly ticket: () => Promise<MotionTicket | undefined>;
  readonly listener: MotionPlaneListener;
  readonly random: () => number;
}

/** Opens a motion plane, which connects by itself. */
export type OpenMotionPlane = (request: MotionPlaneRequest) => MotionPlane;

/** Opens motion planes on this thread. */
export function onThisThread(transports: MotionTransports, clock: Clock): OpenMotionPlane {
  return (request) => {
    const plane = new ReconnectingMotionConnection({ ...request, transports, clock });
    void plane.run();
    return plane;
  };
}

/** Opens motion planes in a worker of their own. `clock` counts from `performance.timeOrigin`. */
export function inWorker(clock: Clock): OpenMotionPlane {
  return ({ ticket, listener }) => {
    const port = new Worker(new URL("./motion-worker.ts", import.meta.url), { type: "module" });
    return new WorkerMotionPlane({ port, ticket, listener, clock, timeOrigin: performance.timeOrigin });
  };
}
