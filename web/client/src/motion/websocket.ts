/** Carries motion frames by WebSocket, one in each binary message, for networks without UDP. */
import { FRAME_BYTES_MAX, MOTION_UNSENT_MAX } from "../limits.ts";
import type { MotionTransports } from "./transport.ts";

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
      resolve({
        send(frame) {
          if (socket.bufferedAmount < MOTION_UNSENT_MAX * FRAME_BYTES_MAX) socket.send(frame.slice());
        },
        close: () => socket.close(),
      });
    };
  });
