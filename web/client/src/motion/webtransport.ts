/** Carries motion frames by WebTransport, one in each datagram. */
import { MOTION_UNSENT_MAX } from "../limits.ts";
import type { MotionTransport, MotionTransports } from "./transport.ts";

/** Opens WebTransport. A self-signed certificate of the realm is verified by its hash. */
export const openWebTransport: NonNullable<MotionTransports["webTransport"]> = async (offer, listener, signal) => {
  const serverCertificateHashes = offer.certificateHashes.map((value) => ({ algorithm: "sha-256", value }));
  const options = serverCertificateHashes.length === 0 ? {} : { serverCertificateHashes };
  const transport = new WebTransport(offer.url, { congestionControl: "low-latency", ...options });
  const over = transport.closed.then(
    () => undefined,
    () => undefined,
  );
  signal.addEventListener("abort", () => transport.close(), { once: true });
  await transport.ready;
  void over.then(listener.onEnded);
  read(transport.datagrams.readable.getReader(), listener.onFrame).catch(() => transport.close());
  return datagramsOf(transport);
};

async function read(reader: ReadableStreamDefaultReader<Uint8Array>, onFrame: (bytes: Uint8Array) => void) {
  for (let next = await reader.read(); !next.done; next = await reader.read()) onFrame(next.value);
}

/** The standard's present form of a datagram stream, which TypeScript's types lack. */
interface CreatesWritable {
  readonly createWritable?: () => WritableStream<Uint8Array>;
}

/** Safari 26.4 and Firefox 155 have `createWritable` and no `writable`. */
function writableOf(datagrams: WebTransportDatagramDuplexStream & CreatesWritable): WritableStream<Uint8Array> {
  return datagrams.createWritable?.() ?? datagrams.writable;
}

function datagramsOf(transport: WebTransport): MotionTransport {
  const writer = writableOf(transport.datagrams).getWriter();
  let unsent = 0;
  const settled = () => {
    unsent -= 1;
  };
  return {
    send(frame) {
      if (unsent >= MOTION_UNSENT_MAX) return;
      unsent += 1;
      writer.write(frame.slice()).then(settled, settled);
    },
    close: () => transport.close(),
  };
}
