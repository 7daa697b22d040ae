/** The worker of a page's motion plane. */
import { evenClock } from "../clock.ts";
import { platformTransports } from "./platform-transports.ts";
import { hostMotionPlane } from "./worker-host.ts";
import type { MotionWorkerReport, MotionWorkerRequest } from "./worker-messages.ts";

// A message to itself runs after the tasks of frames that have already arrived, and unlike a timer without delay.
const later = new MessageChannel();
let post: () => void = () => undefined;
later.port2.onmessage = () => post();

const scope = globalThis as unknown as DedicatedWorkerGlobalScope;
hostMotionPlane({
  port: {
    postMessage: (report: MotionWorkerReport, transfer) => scope.postMessage(report, transfer),
    set onmessage(handle: ((event: MessageEvent<MotionWorkerRequest>) => void) | null) {
      scope.onmessage = handle;
    },
  },
  transports: platformTransports(),
  clock: evenClock,
  random: Math.random,
  timeOrigin: performance.timeOrigin,
  defer(then) {
    post = then;
    later.port1.postMessage(null);
  },
  onClosed: () => scope.close(),
});
