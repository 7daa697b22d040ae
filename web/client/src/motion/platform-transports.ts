/** The motion plane's transports that this platform has. */
import type { MotionTransports } from "./transport.ts";
import { openWebSocket } from "./websocket.ts";
import { openWebTransport } from "./webtransport.ts";

export function platformTransports(): MotionTransports {
  return {
    ...("WebTransport" in globalThis && { webTransport: openWebTransport }),
    ...("WebSocket" in globalThis && { webSocket: openWebSocket }),
  };
}
