/** Carries motion frames by WebSocket, one in each binary message, for networks without UDP. */
import { type Clock, evenClock } from "../clock.ts";
import { MOTION_DRAIN_MS, MOTION_UNSENT_BYTES_MAX } from "../limits.ts";
import type { MotionTransport, MotionTransports } from "./transport.ts";
import { UpwardQueue } from "./upward-queue.ts";

const SUBPROTOCOL = "stoa-motion.1";

/** Opens a WebSocket. */
export const openWebSocket: NonNullable<MotionTransports["webSocket"]> = (offer, listener, signal) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(offer.url, SUBPROTOCOL);
    socket.binaryType = "arraybuffer";
    let isOpen = false;
    signal.addEventListener("abort", () => socket.close(), { once: true });
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) listener.onFrame(new Uint8Array(data));
    };
    socket.onclose = () => {
      if (isOpen) listener.onEnded();
      else reject(new Error("the WebSocket did not open"));
    };
    socket.onopen = () => {
      isOpen = true;
      resolve({ send: frameSender(socket, evenClock), close: () => socket.close() });
    };
  });

/** Sends frames while the socket has few unsent bytes. It has no event for that, so waiting frames need a timer. */
export function frameSender(
  socket: Pick<WebSocket, "bufferedAmount" | "readyState" | "OPEN" | "send">,
  clock: Clock,
): MotionTransport["send"] {
  const queue = new UpwardQueue();
  let isTimed = false;
  const drain = () => {
    // A closed socket's unsent bytes never become fewer.
    if (socket.readyState !== socket.OPEN) return;
    while (socket.bufferedAmount < MOTION_UNSENT_BYTES_MAX) {
      const frame = queue.take(clock.now());
      if (frame === undefined) return;
      socket.send(frame);
    }
    if (isTimed || queue.isEmpty) return;
    isTimed = true;
    clock.after(MOTION_DRAIN_MS, () => {
      isTimed = false;
      drain();
    });
  };
  return (frame, frameClass) => {
    queue.put(frame, frameClass, clock.now());
    drain();
  };
}
